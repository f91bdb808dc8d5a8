/** The folder in which compactions save the raw transcript before they replace it. */
import { basename, join } from 'node:path';
import { ABSENT, DocumentFile, nodeFiles } from '../../documents/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { FileLock } from '../../ports/file-lock.ts';
import type { Files } from '../../ports/files.ts';

const NAME = /^history_\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}(?:_\d+)?\.md$/;

/** A transcript grows until it is compacted; a gibibyte of it is a mistake. */
export const MAX_TRANSCRIPT_BYTES = 1024 ** 3;

/** Archives are written under the lock of their MEMORY.md, so they need none of their own. */
const unlocked: FileLock = { hold: (_path, work) => work(), close: async () => {} };

export interface ArchiveFolder {
  readonly folder: string;
  readonly root: string;
  readonly files?: Files;
}

/** `history_YYYY-MM-DD_HH-MM-SS`, in UTC. */
function stem(at: number): string {
  const [date, time] = new Date(at).toISOString().slice(0, 19).split('T') as [string, string];
  return `history_${date}_${time.replaceAll(':', '-')}`;
}

export class ArchiveFiles {
  readonly #folder: string;
  readonly #root: string;
  readonly #files: Files;

  constructor({ folder, root, files = nodeFiles }: ArchiveFolder) {
    this.#folder = folder;
    this.#root = root;
    this.#files = files;
  }

  /** Names, oldest first; an archive of the same second sorts by its number. */
  async names(): Promise<string[]> {
    let entries: string[];
    try {
      entries = await this.#files.readdir(this.#folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new KeepsakeError('STORAGE_FAILED', `The archives in ${this.#folder} cannot be listed.`, {
        cause: error,
        hint: 'Check that it is a folder and that you may read it.',
      });
    }
    const collator = new Intl.Collator('en', { numeric: true });
    return entries
      .filter((name) => NAME.test(name))
      .sort((a, b) => collator.compare(a.slice(0, -3), b.slice(0, -3)));
  }

  /** A name that is free; two compactions in one second get two. */
  async freeName(at: number): Promise<string> {
    const taken = new Set(await this.names());
    const base = stem(at);
    for (let number = 1; ; number++) {
      const name = number === 1 ? `${base}.md` : `${base}_${number}.md`;
      if (!taken.has(name)) return name;
    }
  }

  /** Writes it and reads it back: the transcript is replaced only after its archive is known to be on disk. */
  async write(name: string, text: string): Promise<void> {
    const document = this.#document(name);
    const { hash } = await document.replace(text, { ifHash: ABSENT });
    const found = await document.readBytes();
    if (found.hash === hash) return;
    throw new KeepsakeError('STORAGE_FAILED', `The archive ${name} does not read back as it was written.`, {
      hint: 'Check the disk. The transcript itself was not touched.',
    });
  }

  async read(name: string): Promise<string> {
    const content = await this.#document(name).read();
    if (!content.exists) {
      throw new KeepsakeError('NOT_FOUND', `There is no archive ${name}.`, {
        hint: 'List the archives to see their names.',
      });
    }
    return content.text;
  }

  /** The texts of all archives, oldest first. */
  async readAll(): Promise<string[]> {
    return Promise.all((await this.names()).map((name) => this.read(name)));
  }

  /** Takes back an archive of a compaction that did not happen; a file with another content stays. */
  async discard(name: string, hash: string): Promise<void> {
    const document = this.#document(name);
    const found = await document.readBytes();
    if (found.exists && found.hash === hash) await document.remove({ ifHash: hash });
  }

  pathOf(name: string): string {
    if (!NAME.test(name) || basename(name) !== name) {
      throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(name)} is not the name of an archive.`, {
        hint: 'Archives are called history_<date>_<time>.md.',
      });
    }
    return join(this.#folder, name);
  }

  #document(name: string): DocumentFile {
    return new DocumentFile({
      path: this.pathOf(name),
      root: this.#root,
      lock: unlocked,
      files: this.#files,
      maxBytes: MAX_TRANSCRIPT_BYTES,
    });
  }
}
