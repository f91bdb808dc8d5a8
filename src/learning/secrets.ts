/** A backstop behind the guard: keys and passwords are not learned, even where the guard is switched off. */

const PATTERNS = [
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bnpm_[A-Za-z0-9]{30,}|\bhf_[A-Za-z0-9]{20,}/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{1,100}@/i,
  /\b(?:password|passwd|passphrase|secret(?: key)?|api[ _-]?key|access[ _-]?token|auth[ _-]?token|pin(?: code)?|kennwort|passwort)\b["'`]?\s*(?:is|are|was|ist|=|:)\s*["'`]?(?=\S*[\d_!@#$%^&*+])[^\s"'`,.]{4,}/i,
];

export function holdsSecret(text: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(text));
}
