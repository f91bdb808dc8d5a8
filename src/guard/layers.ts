/** Finds hidden text: encoded, escaped or spread out to evade filters. */

const MAX_DEPTH = 2;
/** Enough for any instruction; a picture in base64 is not worth more. */
const MAX_CANDIDATE = 8_192;
const MAX_LAYERS = 12;
const LEAST_TEXT = 6;

const BASE64 = /[A-Za-z0-9+/_-]{16,8192}={0,2}/g;
const HEX = /(?:0x)?[0-9a-fA-F]{16,8192}/g;
const HEX_BYTES = /(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){8,2048}/g;
const BITS = /(?:[01]{8} ?){5,1024}/g;
const PERCENT = /(?:%[0-9a-fA-F]{2}|[\w.~+-]){4,4096}/g;
const ENTITIES = /&#(?:x[0-9a-fA-F]{1,6}|\d{1,7});/g;
/** The brackets of a tag, as pages write them that show one; `&amp;lt;` is written twice and means itself. */
const NAMED = /&(lt|gt|sol|lbrack|lsqb|rsqb|rbrack|vert);/gi;
const NAMES: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', sol: '/', vert: '|' },
  ...{ lbrack: '[', lsqb: '[', rbrack: ']', rsqb: ']' },
};
const ESCAPES = /\\u\{?([0-9a-fA-F]{4,6})\}?|\\x([0-9a-fA-F]{2})/g;
/** Letters one by one, as in "i g n o r e" or "i-g-n-o-r-e". */
const SPACED = /(?<![\p{L}\p{N}])(?:\p{L}[ .*_-][ .*_-]?[ .*_-]?){5,400}\p{L}(?![\p{L}\p{N}])/gu;

const decoder = new TextDecoder();
/** Stands for bytes that are no text; to throw for each of them took most of the time for a text full of keys. */
const UNDECODED = '\ufffd';
/** Also symbols, marks and joiners: one of them must not hide the text around it. */
const READABLE = /[\p{L}\p{M}\p{N}\p{P}\p{Cf}\s]|(?!\ufffd)\p{S}/u;

function bytesToText(bytes: Uint8Array): string | undefined {
  const text = decoder.decode(bytes);
  return text.includes(UNDECODED) ? undefined : text;
}

/** Random bytes may decode too; text has words with spaces, or is one long word of letters. */
function isText(text: string | undefined): text is string {
  if (text === undefined || text.length < LEAST_TEXT) return false;
  let letters = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 32 && code !== 10 && code !== 13 && code !== 9) return false;
    if (!READABLE.test(character)) return false;
    if (/[\p{L}\p{M} ]/u.test(character)) letters++;
  }
  return letters * 10 >= text.length * 7 && /\s/.test(text);
}

function fromHex(digits: string): string | undefined {
  const plain = digits.replace(/0x|\\x|[ ,:]/g, '');
  if (plain.length % 2 !== 0) return undefined;
  return bytesToText(Buffer.from(plain, 'hex'));
}

function fromBits(bits: string): string | undefined {
  return bytesToText(
    Uint8Array.from(bits.trim().split(/ /).filter(Boolean), (byte) => Number.parseInt(byte, 2)),
  );
}

function fromPercent(text: string): string | undefined {
  if (!text.includes('%')) return undefined;
  try {
    return decodeURIComponent(text).replaceAll('+', ' ');
  } catch {
    return undefined;
  }
}

/** The text with its character references and escapes resolved; undefined when it has none. */
export function unescaped(text: string): string | undefined {
  const code = (digits: string, radix: number): string => {
    const value = Number.parseInt(digits, radix);
    return value <= 0x10ffff ? String.fromCodePoint(value) : '';
  };
  const plain = text
    .replace(NAMED, (_, name: string) => NAMES[name.toLowerCase()]!)
    .replace(ENTITIES, (entity) =>
      entity[2] === 'x' ? code(entity.slice(3, -1), 16) : code(entity.slice(2, -1), 10),
    )
    .replace(ESCAPES, (_, long: string | undefined, short: string | undefined) =>
      code(long ?? short ?? '0', 16),
    );
  return plain === text ? undefined : plain;
}

function* candidates(text: string): Generator<string | undefined> {
  for (const [found] of text.matchAll(BITS)) yield fromBits(found);
  for (const [found] of text.matchAll(HEX)) yield fromHex(found);
  for (const [found] of text.matchAll(HEX_BYTES)) yield fromHex(found);
  for (const [found] of text.matchAll(BASE64)) {
    yield bytesToText(Buffer.from(found.slice(0, MAX_CANDIDATE), 'base64'));
  }
  if (text.includes('%')) for (const [found] of text.matchAll(PERCENT)) yield fromPercent(found);
}

const MAY_HIDE =
  /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16}|[01]{8} [01]{8}|(?:[0-9a-fA-F]{2}[ ,:]){8}|%[0-9a-fA-F]{2}|&#|\\[ux]/;

/** Every text hidden in this one, also inside another hidden one. */
export function hiddenTexts(text: string): string[] {
  const found: string[] = [];
  let level = [text];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const outer of level) {
      if (!MAY_HIDE.test(outer)) continue;
      for (const inner of candidates(outer)) {
        if (found.length + next.length >= MAX_LAYERS) break;
        if (isText(inner)) found.push(inner);
        if (isText(inner) || isBlock(inner)) next.push(inner);
      }
    }
    level = next;
  }
  return found;
}

/** Encoded twice: what comes out is one block of letters again. */
function isBlock(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9+/=_-]{16,8192}$/.test(text);
}

/** Words that were written letter by letter, put together again; two spaces part words, one may not. */
export function spacedWords(text: string): string[] {
  return (text.match(SPACED) ?? []).slice(0, MAX_LAYERS).map((run) =>
    run
      .split(/[ .*_-]{2,3}/)
      .map((word) => word.replace(/[ .*_-]/g, ''))
      .join(' '),
  );
}
