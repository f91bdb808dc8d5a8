/** A private folder, held open so that it cannot be replaced. */
import { closeSync, constants, fstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** What a socket's name may have on every system; longer ones are cut off without a word by some. */
const LONGEST_SOCKET = 103;

export class PrivateFolder {
  readonly #path: string;
  readonly #handle: number;

  private constructor(path: string, handle: number) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Makes it if it is missing. Undefined where that is not possible, or where it is not ours alone. */
  static open(path: string): PrivateFolder | undefined {
    let handle: number | undefined;
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      const { uid, mode } = fstatSync(handle);
      if (uid === process.getuid?.() && (mode & 0o077) === 0) return new PrivateFolder(path, handle);
    } catch {
      // A file system that is read-only or full, or the folder of somebody else.
    }
    if (handle !== undefined) closeSync(handle);
    return undefined;
  }

  /** Linux reaches it through the open handle, however long its path is. */
  get path(): string {
    return process.platform === 'linux' ? `/proc/self/fd/${this.#handle}` : this.#path;
  }

  /** Undefined where the name would be too long for a socket. */
  socket(name: string): string | undefined {
    const path = join(this.path, name);
    return Buffer.byteLength(path) > LONGEST_SOCKET ? undefined : path;
  }

  close(): void {
    closeSync(this.#handle);
  }
}
