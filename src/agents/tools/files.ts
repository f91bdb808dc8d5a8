/** `file_read` and `file_write`, limited to the folders that an agent may access. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { storageError, writeWholeFile } from '../../documents/index.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import type { Files } from '../../ports/files.ts';
import { defineTool, type Tool } from '../tool.ts';

const MAX_BYTES = 1_000_000;

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Where a link leads; undefined for what is none, or is not there. */
async function linked(path: string): Promise<string | undefined> {
  try {
    return resolve(dirname(path), await readlink(path));
  } catch (error) {
    if (codeOf(error) === 'EINVAL' || codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40;

/** Where a path really leads, links followed, also when its end does not exist yet: a link may lead to nothing so far. */
async function whereTo(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || links > MOST_LINKS) throw error;
    const parent = dirname(path);
    if (parent === path) return path;
    const place = join(await whereTo(parent, links), basename(path));
    const target = await linked(place);
    return target === undefined ? place : whereTo(target, links + 1);
  }
}

export interface FilePlace {
  /** What relative paths are relative to. */
  readonly root: string;
  /** Folders and files that may be touched; nothing else may. */
  readonly paths: readonly string[];
  /** What Keepsake keeps for itself: memory of all agents, configuration. Out of reach unless a path leads into it. */
  readonly own?: readonly string[];
  /** Where files are written. Default: the disk. */
  readonly files?: Files;
  /** Told of every file that was written, by its real path. What it answers is added to what the model is told. */
  readonly written?: (file: string) => Promise<string>;
}

interface AllowedFile {
  /** Without links. */
  readonly real: string;
  /** Relative to the workspace, for the model. */
  readonly shown: string;
}

/** Undefined when the path leads out of what the agent may touch. */
async function within({ root, paths, own = [] }: FilePlace, shown: string): Promise<AllowedFile | undefined> {
  const real = await whereTo(resolve(root, shown));
  const kept = await Promise.all(own.map((path) => whereTo(path)));
  for (const path of paths) {
    const base = await whereTo(resolve(root, path));
    const isKept = kept.some((place) => isInside(place, real) && !isInside(place, base));
    if (isInside(base, real) && !isKept) return { real, shown };
  }
  return undefined;
}

/** Where a name without a folder belongs: the first path that is not a file. */
async function folderFor({ root, paths }: FilePlace): Promise<string | undefined> {
  for (const path of paths) {
    const found = await stat(resolve(root, path)).catch(() => undefined);
    if (found?.isFile() !== true) return path;
  }
  return undefined;
}

/** Prompts say "save it to report.md": a bare name that leads nowhere else belongs to the first folder. */
async function allowed(place: FilePlace, given: string): Promise<AllowedFile> {
  if (given.includes('\0'))
    throw new KeepsakeError('INVALID_INPUT', 'A path cannot contain a NUL character.');
  const { paths } = place;
  const direct = await within(place, given);
  if (direct !== undefined) return direct;
  const isBare = /^(\.[\\/])?[^\\/]+$/.test(given) && !['.', '..'].includes(given);
  const folder = isBare ? await folderFor(place) : undefined;
  const inside = folder === undefined ? undefined : await within(place, join(folder, given));
  if (inside !== undefined) return inside;
  const where = paths.length === 0 ? 'no folders' : paths.join(', ');
  throw new KeepsakeError('FORBIDDEN', `${given} is outside the folders of this agent: ${where}.`, {
    hint: 'Use a path inside one of these folders.',
  });
}

const moved = (path: string): KeepsakeError =>
  new KeepsakeError('CONFLICT', `${path} changed while it was being opened.`, { hint: 'Try again.' });

/** Never through a link, for the real path has none; and never a device or a pipe, which could be waited for without end. */
async function openFile(real: string, shown: string, how: number): Promise<FileHandle> {
  try {
    const file = await open(real, how | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw moved(shown);
    if (codeOf(error) === 'ENOENT') throw new KeepsakeError('NOT_FOUND', `The file ${shown} does not exist.`);
    if (!['EISDIR', 'ENXIO'].includes(codeOf(error) ?? '')) throw error;
  }
  throw new KeepsakeError('INVALID_INPUT', `${shown} is not a file.`);
}

export function fileTools(place: FilePlace): Tool[] {
  const path = z
    .string()
    .min(1)
    .describe(
      'Path of the file, relative to the workspace. A name without a folder refers to the first of your folders.',
    );
  return [
    defineTool({
      name: 'file_read',
      readOnly: true,
      description: `Reads a text file in one of these folders: ${place.paths.join(', ') || 'none'}.`,
      input: z.object({ path }),
      run: async (input) => {
        const { real, shown } = await allowed(place, input.path);
        await using file = await openFile(real, shown, constants.O_RDONLY);
        const { size } = await file.stat();
        if (size > MAX_BYTES) {
          throw new KeepsakeError(
            'TOO_LARGE',
            `${shown} has ${size} bytes; at most ${MAX_BYTES} can be read.`,
          );
        }
        return file.readFile('utf8');
      },
    }),
    defineTool({
      name: 'file_write',
      description: `Writes a text file in one of these folders: ${place.paths.join(', ') || 'none'}. Replaces an existing file.`,
      input: z.object({ path, content: z.string().max(MAX_BYTES) }),
      run: async (input) => {
        const { real, shown } = await allowed(place, input.path);
        await mkdir(dirname(real), { recursive: true }).catch((error: unknown) => {
          throw storageError(error, 'created', dirname(real));
        });
        // Between the check and now a link could have been put there: look once more at where the path leads.
        if ((await allowed(place, input.path)).real !== real) throw moved(shown);
        const text = input.content.toWellFormed();
        await writeWholeFile({ path: real, root: dirname(real), text, ...defined({ files: place.files }) });
        const more = (await place.written?.(real)) ?? '';
        const length = input.content.length;
        return `Wrote ${length} ${length === 1 ? 'character' : 'characters'} to ${shown}.${more}`;
      },
    }),
  ];
}
