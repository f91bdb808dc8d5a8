/** Writes the files of an archive into a workspace atomically, never over an existing file. */
import { type FileHandle, mkdtemp, open, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeepsakeError } from '../../kernel/errors.ts';
import { makeFolder, makeHiddenFolder, pathInside, type WorkspacePaths } from '../../workspace/index.ts';
import { putInPlace } from '../put-in-place.ts';
import type { LineOf } from './lines.ts';

export type FileOutcome = 'added' | 'present' | 'differs';

/** Only what an export may hold: nobody's archive writes anywhere else. */
export function checkPath(path: string): string {
  const parts = path.split('/');
  const isPlain = parts.every((part) => part !== '' && !part.startsWith('.') && !/[\\\0:]/.test(part));
  const isKnown = path === 'keepsake.jsonc' || (parts[0] === 'agents' && parts.length > 1);
  if (isPlain && isKnown) return path;
  throw new KeepsakeError(
    'FORBIDDEN',
    `The archive holds a file ${JSON.stringify(path)}, which no workspace has.`,
    {
      hint: 'Do not trust this archive. Nothing of that file was written.',
    },
  );
}

export class FilePlacer {
  readonly #paths: Pick<WorkspacePaths, 'root' | 'dataFolder'>;
  readonly #dryRun: boolean;
  #folder: string | undefined;
  #begun: { readonly path: string; readonly handle: FileHandle; readonly temporary: string } | undefined;

  constructor(paths: Pick<WorkspacePaths, 'root' | 'dataFolder'>, dryRun: boolean) {
    this.#paths = paths;
    this.#dryRun = dryRun;
  }

  /** Undefined until the last piece of a file. */
  async add({ path, offset, size, base64 }: LineOf<'file'>): Promise<FileOutcome | undefined> {
    const bytes = Buffer.from(base64, 'base64');
    const target = pathInside(this.#paths.root, ...checkPath(path).split('/'));
    if (offset === 0) this.#begun = await this.#begin(path);
    const begun = this.#begun!;
    await begun.handle.write(bytes);
    if (offset + bytes.length < size) return undefined;
    await begun.handle.sync();
    await begun.handle.close();
    this.#begun = undefined;
    return this.#settle(begun.temporary, target);
  }

  async close(): Promise<void> {
    await this.#begun?.handle.close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #begin(path: string): Promise<{ path: string; handle: FileHandle; temporary: string }> {
    makeHiddenFolder(this.#paths.dataFolder);
    this.#folder ??= await mkdtemp(join(this.#paths.dataFolder, 'import-'));
    const temporary = join(this.#folder, 'file');
    return { path, temporary, handle: await open(temporary, 'w', 0o600) };
  }

  async #settle(temporary: string, target: string): Promise<FileOutcome> {
    try {
      const present = await stat(target).catch(() => undefined);
      if (present !== undefined) return await this.#compare(temporary, target);
      if (this.#dryRun) return 'added';
      makeFolder(dirname(target));
      await this.#refuseLinksOut(dirname(target));
      await putInPlace(temporary, target);
      return 'added';
    } catch (error) {
      // Somebody else was faster, perhaps with the same.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return await this.#compare(temporary, target);
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async #compare(temporary: string, target: string): Promise<FileOutcome> {
    const [ours, theirs] = await Promise.all([readFile(target), readFile(temporary)]);
    return ours.equals(theirs) ? 'present' : 'differs';
  }

  async #refuseLinksOut(folder: string): Promise<void> {
    const [real, root] = await Promise.all([realpath(folder), realpath(this.#paths.root)]);
    if (real === root || real.startsWith(`${root}/`) || real.startsWith(`${root}\\`)) return;
    throw new KeepsakeError('FORBIDDEN', `${folder} leads out of the workspace.`, {
      hint: 'Remove the link and import again.',
    });
  }
}
