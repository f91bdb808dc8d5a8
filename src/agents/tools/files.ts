/** `file_read` and `file_write`, confined to the folders that an agent was given. */
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { KeepsakeError } from '../../kernel/errors.ts';
import { defineTool, type Tool } from '../tool.ts';

const MAX_BYTES = 1_000_000;

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

/** Where a path really leads, links followed, also when its end does not exist yet. */
async function whereTo(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await whereTo(parent), relative(parent, path));
  }
}

export interface FilePlace {
  /** What relative paths are relative to. */
  readonly root: string;
  /** Folders and files that may be touched; nothing else may. */
  readonly paths: readonly string[];
}

async function allowed({ root, paths }: FilePlace, given: string): Promise<string> {
  if (given.includes('\0')) throw new KeepsakeError('INVALID_INPUT', 'A path has no NUL in it.');
  const real = await whereTo(resolve(root, given));
  for (const path of paths) if (isInside(await whereTo(resolve(root, path)), real)) return real;
  const where = paths.length === 0 ? 'no folder at all' : paths.join(', ');
  throw new KeepsakeError('FORBIDDEN', `${given} is outside of what this agent may touch: ${where}.`, {
    hint: 'Use a path inside one of these.',
  });
}

export function fileTools(place: FilePlace): Tool[] {
  const path = z.string().min(1).describe('Path of the file, relative to the workspace.');
  return [
    defineTool({
      name: 'file_read',
      description: `Reads a text file in the folders that you may use: ${place.paths.join(', ') || 'none'}.`,
      input: z.object({ path }),
      run: async (input) => {
        const real = await allowed(place, input.path);
        const { size } = await stat(real);
        if (size > MAX_BYTES) {
          throw new KeepsakeError('TOO_LARGE', `${input.path} has ${size} bytes; ${MAX_BYTES} can be read.`);
        }
        return readFile(real, 'utf8');
      },
    }),
    defineTool({
      name: 'file_write',
      description: `Writes a text file in the folders that you may use: ${place.paths.join(', ') || 'none'}. Replaces what was there.`,
      input: z.object({ path, content: z.string().max(MAX_BYTES) }),
      run: async (input) => {
        const real = await allowed(place, input.path);
        await mkdir(dirname(real), { recursive: true });
        // Between the check and now a link could have been put there: look once more at where the folder leads.
        await allowed(place, input.path);
        await writeFile(real, input.content.toWellFormed());
        return `Wrote ${input.content.length} characters to ${input.path}.`;
      },
    }),
  ];
}
