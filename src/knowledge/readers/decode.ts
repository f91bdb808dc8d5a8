/** Turns bytes into text, or says that they are none. */

/** Windows-1252 is Latin-1 with quotation marks and the like; these bytes mean nothing in it. */
const MEANINGLESS = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Tab, line feed, form feed and carriage return; other control characters are not part of a text. */
const BLANKS = new Set([9, 10, 12, 13]);
/** Letters of Western languages are mostly plain ones; a file with more of the others is something else. */
const MOST_SPECIAL = 0.3;

/** The text; undefined for what is binary or in an encoding that nobody can know. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  if (encoding === 'utf-8' && bytes.includes(0)) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return encoding === 'utf-8' && isWestern(bytes)
      ? new TextDecoder('windows-1252').decode(bytes)
      : undefined;
  }
}

function isWestern(bytes: Uint8Array): boolean {
  let special = 0;
  for (const byte of bytes) {
    if ((byte < 0x20 && !BLANKS.has(byte)) || byte === 0x7f || MEANINGLESS.has(byte)) return false;
    if (byte >= 0x80) special++;
  }
  return special <= MOST_SPECIAL * bytes.length;
}
