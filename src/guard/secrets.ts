/** Finds and removes keys, tokens and passwords with known formats. */

interface SecretShape {
  readonly name: string;
  readonly shape: RegExp;
  /** Which group is the secret, when the match is more than that. */
  readonly group?: number;
  /** Further proof that it is one. */
  readonly accept?: (value: string) => boolean;
}

export interface FoundSecret {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const counts = new Uint16Array(0x10000);

/** Bits per character; an English word has about 3, a random token of 20 letters and digits above 3.5. */
function entropy(text: string): number {
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i)]! += 1;
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const count = counts[text.charCodeAt(i)]!;
    if (count === 0) continue;
    bits -= (count / text.length) * Math.log2(count / text.length);
    counts[text.charCodeAt(i)] = 0;
  }
  return bits;
}

const PLACEHOLDER =
  /^[<${[(*]|x{4}|\*{3}|\.{3}|example|placeholder|your|change.?me|redacted|dummy|sample|process\.env|os\.environ|env\(|secrets\.|config\.|getenv/i;

/** Said of how a password is kept, not of which one it is. */
const ALGORITHM = /^(?:sha|md\d|argon|b?crypt|scrypt|pbkdf|base\d|utf|aes|rsa|hmac|ed25519)/i;

/** A value of its own rather than the name of one. */
function looksRandom(value: string): boolean {
  if (PLACEHOLDER.test(value) || ALGORITHM.test(value) || /[()[\]{}]/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return (
    /\d/.test(value) && /[A-Za-z]/.test(value) && (kinds >= 3 || value.length >= 16) && entropy(value) >= 2.8
  );
}

/** What people choose: a word with digits in it, said to be a password. */
function looksChosen(value: string): boolean {
  return /\d/.test(value) && /\p{L}/u.test(value) && !PLACEHOLDER.test(value) && !ALGORITHM.test(value);
}

const isMixed = (value: string): boolean => !PLACEHOLDER.test(value) && entropy(value) >= 3;

/** Order matters: what is more exact comes first, and parts of a text are taken once. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    name: 'private-key',
    shape:
      /-----BEGIN [A-Z ]{0,24}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){1,16384}(?:-----END [A-Z ]{0,24}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { name: 'anthropic-key', shape: /\bsk-ant-[A-Za-z0-9_-]{16,200}/g },
  { name: 'openai-key', shape: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,200}/g, accept: isMixed },
  { name: 'openrouter-key', shape: /\bsk-or-v1-[A-Fa-f0-9]{32,128}/g },
  { name: 'github-token', shape: /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g },
  { name: 'gitlab-token', shape: /\bglpat-[A-Za-z0-9_-]{16,64}/g },
  { name: 'aws-access-key', shape: /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b/g },
  {
    name: 'aws-secret-key',
    shape:
      /\baws[\w .-]{0,30}?(?:secret|key)[\w .-]{0,20}["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    group: 1,
  },
  { name: 'google-api-key', shape: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: 'google-oauth', shape: /\bya29\.[A-Za-z0-9_-]{20,255}/g },
  { name: 'slack-token', shape: /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}/g },
  { name: 'slack-webhook', shape: /\bhttps:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,80}/g },
  { name: 'stripe-key', shape: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g },
  { name: 'npm-token', shape: /\bnpm_[A-Za-z0-9]{30,64}/g },
  { name: 'pypi-token', shape: /\bpypi-[A-Za-z0-9_-]{32,255}/g },
  { name: 'huggingface-token', shape: /\bhf_[A-Za-z0-9]{30,64}/g },
  { name: 'sendgrid-key', shape: /\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,64}/g },
  { name: 'telegram-token', shape: /\b\d{8,10}:AA[A-Za-z0-9_-]{32,36}\b/g },
  { name: 'jwt', shape: /\beyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,1024}/g },
  {
    name: 'password-in-address',
    shape: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"']{1,64}:([^\s:/@"']{3,128})@/gi,
    group: 1,
    accept: (value) => !PLACEHOLDER.test(value),
  },
  {
    name: 'bearer-token',
    shape: /\bbearer[ \t]{1,4}([A-Za-z0-9_.~+/-]{20,512}={0,2})/gi,
    group: 1,
    accept: looksRandom,
  },
  {
    name: 'password',
    shape:
      /\b(?:\w{1,32}[_-])?(?:password|passwd|passphrase|pwd|secret|api[_-]?key|apikey|access[_-]?key|auth[_-]?token|access[_-]?token|token|client[_-]?secret)["']?[ \t]{0,4}(?:[:=]|is)[ \t]{0,4}["'`]?([^\s"'`,;]{8,256})/gi,
    group: 1,
    accept: looksRandom,
  },
  {
    name: 'password',
    shape:
      /\b(?:password|passwd|passphrase|passwort|kennwort|contraseña)["'`]?[ \t]{0,4}(?:[:=]|is|was|ist|es)[ \t]{0,4}["'`]?([^\s"'`,;.]{6,64})/gi,
    group: 1,
    accept: looksChosen,
  },
  {
    name: 'pin',
    shape: /\bpin(?:[ -]?(?:code|number))?["'`]?[ \t]{0,4}(?:[:=]|is|was|ist)[ \t]{0,4}["'`]?(\d{4,8})\b/gi,
    group: 1,
  },
];

/** Each shape holds one of these; most texts hold none, and are done with one look. */
const MAY_HOLD = new RegExp(
  [
    /-----begin |\bsk-|\bgh[pousr]_|\bgithub_pat_|\bglpat-|\ba(?:kia|sia|gpa|ida|roa)[a-z0-9]{16}|\baws|\baiza|\bya29\./,
    /\bxox[abeoprs]-|hooks\.slack\.com|\b[rs]k_(?:live|test)_|\bnpm_|\bpypi-|\bhf_|\bsg\.|\d:aa|\beyj|\bbearer[ \t]|\bpin/,
    /:\/\/[^\s:/@"']{1,64}:/,
    /(?:pass(?:word|wd|phrase|wort)|pwd|secret|(?:api|access)[_-]?key|token|kennwort|contraseña)["'`]?[ \t]{0,4}(?:[:=]|is|was|es)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** Every secret, in the order of the text, none inside another. */
export function findSecrets(text: string): FoundSecret[] {
  if (!MAY_HOLD.test(text)) return [];
  const found: FoundSecret[] = [];
  // To compare each with all others would take seconds for a text that is full of them.
  const taken = new Uint8Array(text.length);
  for (const { name, shape, group = 0, accept } of SECRET_SHAPES) {
    for (const match of text.matchAll(shape)) {
      const value = match[group]!;
      if (accept !== undefined && !accept(value)) continue;
      const start = match.index + (group === 0 ? 0 : match[0].lastIndexOf(value));
      const end = start + value.length;
      if (taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      found.push({ name, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

export function redactSecrets(text: string, secrets: readonly FoundSecret[] = findSecrets(text)): string {
  let out = '';
  let at = 0;
  for (const { name, start, end } of secrets) {
    out += `${text.slice(at, start)}[redacted: ${name}]`;
    at = end;
  }
  return out + text.slice(at);
}
