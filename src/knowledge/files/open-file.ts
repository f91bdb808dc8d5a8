/** Reads a regular file completely; skips links, directories and large files. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { KeepsakeError } from '../../kernel/errors.ts';

/** What people write by hand is far smaller; what is larger is data. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Without waiting: a pipe with no writer would never open. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export async function readWhole(path: string): Promise<Uint8Array> {
  const file = await open(path, FLAGS);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new KeepsakeError('INVALID_INPUT', 'It is not a regular file.');
    if (facts.size > MAX_FILE_BYTES) throw tooLarge(facts.size);
    const bytes = await file.readFile();
    // It may have grown meanwhile, and some files have no size before they are read.
    if (bytes.length > MAX_FILE_BYTES) throw tooLarge(bytes.length);
    return bytes;
  } finally {
    await file.close();
  }
}

function tooLarge(size: number): KeepsakeError {
  const megabytes = (size / 1024 / 1024).toFixed(1);
  return new KeepsakeError('TOO_LARGE', `It has ${megabytes} MB; at most 10 MB are indexed.`, {
    hint: 'Split it into smaller files.',
  });
}
