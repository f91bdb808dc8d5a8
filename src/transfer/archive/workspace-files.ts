/** The files of a workspace that belong into an archive: what people and agents wrote, and the configuration without passwords. */
import { type Dirent, existsSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { foldAgentName } from '../../kernel/names.ts';
import type { WorkspacePaths } from '../../workspace/index.ts';

export interface FilePiece {
  /** Below the root of the workspace, with slashes. */
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  readonly bytes: Buffer;
}

/** Bytes of a file in one line: large files stay small in memory. */
const PIECE = 512 * 1024;

type Paths = Pick<WorkspacePaths, 'root' | 'configFile' | 'agentsFolder'>;

/** Temporary files and locks begin with a dot or end like this; links lead out of the workspace. */
const isOurs = ({ name }: Dirent): boolean => !name.startsWith('.') && !/\.(?:lock|import|part)$/.test(name);

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.filter(isOurs).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** `agents/x.md`, `agents/x.memory.md` and all of `agents/x/`. */
function isOf(agent: string, path: string): boolean {
  const first = foldAgentName(path.split('/')[1] ?? '');
  const wanted = foldAgentName(agent);
  return [wanted, `${wanted}.md`, `${wanted}.memory.md`].includes(first);
}

/** Passwords stand in addresses; whoever brings the archive back gives them again, best in the environment. */
export function withoutPasswords(config: string): string {
  return config.replaceAll(/(:\/\/[^\s:/@"']*):[^\s@"']+@/g, '$1@');
}

async function* pieces(path: string, name: string): AsyncGenerator<FilePiece> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    for (let offset = 0; offset === 0 || offset < size; ) {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(Math.min(PIECE, size - offset)),
        0,
        undefined,
        offset,
      );
      // It became shorter meanwhile; what is missing is zeros nobody wrote, so the file begins again.
      if (bytesRead === 0 && size > 0) throw new Error(`${path} changed while it was read.`);
      yield { path: name, offset, size, bytes: buffer.subarray(0, bytesRead) };
      offset += bytesRead;
      if (size === 0) return;
    }
  } finally {
    await handle.close();
  }
}

export async function* workspaceFiles(
  paths: Paths,
  agent: string | undefined,
  /** Whole paths; of what would be taken otherwise, these alone. */
  only?: ReadonlySet<string>,
): AsyncGenerator<FilePiece> {
  if (agent === undefined && only === undefined && existsSync(paths.configFile)) {
    const bytes = Buffer.from(withoutPasswords(await readFile(paths.configFile, 'utf8')));
    yield { path: relative(paths.root, paths.configFile), offset: 0, size: bytes.length, bytes };
  }
  if (!existsSync(paths.agentsFolder)) return;
  for await (const path of filesBelow(paths.agentsFolder)) {
    const name = relative(paths.root, path).split(sep).join('/');
    if (only?.has(path) === false) continue;
    if (agent === undefined || isOf(agent, name)) yield* pieces(path, name);
  }
}
