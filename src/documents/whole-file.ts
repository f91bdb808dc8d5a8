/** Atomically replaces a file that belongs to the user. */
import type { Files } from '../ports/files.ts';
import { nodeFiles } from './files.ts';
import { locate } from './paths.ts';
import { ANY, putInPlace } from './swapping.ts';
import { encode } from './text.ts';

export interface WholeFile {
  readonly path: string;
  /** The folder that the file must not leave, whatever links say. */
  readonly root: string;
  readonly text: string;
  readonly files?: Files;
}

/** Files of a project are readable as the umask of the user says; only the memory of Keepsake is private. */
const ORDINARY_FILE = 0o666;

/** Takes no lock: a whole file takes the place of another one in a single step, and its folder must exist. */
export async function writeWholeFile({ path, root, text, files = nodeFiles }: WholeFile): Promise<void> {
  const bytes = encode(text, path);
  const place = await locate(files, root, path);
  await putInPlace({ files, place, maxBytes: bytes.length, ifHash: ANY, mode: ORDINARY_FILE }, bytes);
}
