/** Converts bytes to text and back without loss, and hashes content. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { KeepsakeError } from '../kernel/errors.ts';

/** The hash of a document that does not exist. */
export const ABSENT = 'absent';

const BOM = '\ufeff';

export type LineEnding = 'lf' | 'crlf' | 'mixed' | 'none';

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The text holds every byte of the file: a byte order mark stays its first character, line endings stay as they are. */
export function decode(bytes: Uint8Array, path: string): string {
  if (isUtf8(bytes)) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const offset = firstInvalidByte(bytes);
  const line = bytes.subarray(0, offset).reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1);
  throw new KeepsakeError(
    'CORRUPT',
    `${path} is not valid UTF-8 text: line ${line}, byte ${offset}. It was not touched.`,
    {
      hint: 'Save the file as UTF-8 in your editor, or convert it with iconv.',
      details: { path, line, offset },
    },
  );
}

/** Half a surrogate pair has no UTF-8 form: encoding would replace it, so it is refused instead. */
export function encode(text: string, path: string): Uint8Array {
  if (!text.isWellFormed()) {
    throw new KeepsakeError(
      'INVALID_INPUT',
      `The text for ${path} contains half of a character (a lone surrogate).`,
      {
        hint: 'Cut text between characters, or repair it with toWellFormed().',
      },
    );
  }
  return Buffer.from(text, 'utf8');
}

export function hasBom(text: string): boolean {
  return text.startsWith(BOM);
}

export function lineEndingOf(text: string): LineEnding {
  const crlf = text.includes('\r\n');
  const lf = /(?<!\r)\n/.test(text);
  if (crlf && lf) return 'mixed';
  return crlf ? 'crlf' : lf ? 'lf' : 'none';
}

/** Halving works because a streaming decoder accepts a character that is cut at the end; its bytes are given back last. */
function firstInvalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isBeginningOfUtf8(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  while (!isUtf8(bytes.subarray(0, valid))) valid--;
  return valid;
}

function isBeginningOfUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
