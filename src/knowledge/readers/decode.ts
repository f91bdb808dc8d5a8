/** Decodes bytes as text, or reports that they are not text. */
import { declaredEncoding, decodedAs, guessEncoding } from './encodings.ts';

/** Windows-1252 is Latin-1 with quotation marks and the like; these bytes mean nothing in it. */
const MEANINGLESS = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Tab, line feed, form feed and carriage return; other control characters are not part of a text. */
const BLANKS = new Set([9, 10, 12, 13]);
/** Letters of Western languages are mostly plain ones; a file with more of the others is something else. */
const MOST_SPECIAL = 0.3;

/** The text; undefined for what is binary or in an encoding that nobody can know. */
export function decodeText(bytes: Uint8Array, said?: string): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodedAs('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decodedAs('utf-16be', bytes);
  if (bytes.includes(0)) return undefined;
  const text = decodedAs('utf-8', bytes);
  if (text !== undefined) return text;
  if (hasControls(bytes)) return undefined;
  const declared = said ?? declaredEncoding(bytes);
  const encoding = declared ?? guessEncoding(bytes) ?? (isWestern(bytes) ? 'windows-1252' : undefined);
  return encoding === undefined ? undefined : decodedAs(encoding, bytes);
}

function hasControls(bytes: Uint8Array): boolean {
  // The escape character belongs to some encodings of Japanese.
  return bytes.some((byte) => (byte < 0x20 && !BLANKS.has(byte) && byte !== 0x1b) || byte === 0x7f);
}

function isWestern(bytes: Uint8Array): boolean {
  let special = 0;
  for (const byte of bytes) {
    if (MEANINGLESS.has(byte) || byte === 0x1b) return false;
    if (byte >= 0x80) special++;
  }
  return special <= MOST_SPECIAL * bytes.length;
}
