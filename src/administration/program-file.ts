/** A folder in the user's home that records where Keepsake is installed, and when each client last used it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type UserFolders, userFolders } from './user-folders.ts';

export interface InstalledProgram {
  readonly version: string;
  readonly node: string;
  readonly script: string;
}

export interface ClientUse {
  readonly client: string;
  readonly at: number;
  readonly version: string;
}

const folderOf = ({ settings }: UserFolders): string => join(settings, 'keepsake');

/** The launcher of the plugin for Claude Code reads this file too. */
export function programFile(folders: UserFolders = userFolders()): string {
  return join(folderOf(folders), 'program.json');
}

function replaceJson(file: string, value: object): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export function writeProgram(program: InstalledProgram): string {
  const file = programFile();
  replaceJson(file, program);
  return file;
}

/** Undefined where nothing was installed, or the file cannot be read. */
export function readProgram(): InstalledProgram | undefined {
  const { version, node, script } = (readJson(programFile()) ?? {}) as Partial<InstalledProgram>;
  const isWhole = typeof version === 'string' && typeof node === 'string' && typeof script === 'string';
  return isWhole ? { version, node, script } : undefined;
}

/** What "mcp install" wrote for launchers. Undefined where it is gone already. */
export function removeProgram(): string | undefined {
  const file = programFile();
  if (!existsSync(file)) return undefined;
  rmSync(file, { force: true });
  return file;
}

const usesFolder = (): string => join(folderOf(userFolders()), 'clients');

/** Never fails: that a client was used is only said in "keepsake mcp status". */
export function noteClientUse({ client, at, version }: ClientUse): void {
  try {
    if (/^[a-z][a-z0-9-]{0,40}$/.test(client))
      replaceJson(join(usesFolder(), `${client}.json`), { at, version });
  } catch {
    // A folder that may not be written.
  }
}

/** For a client that no longer starts Keepsake. Returns the file that said when it was used. */
export function forgetClientUse(client: string): string {
  const file = join(usesFolder(), `${client}.json`);
  rmSync(file, { force: true });
  return file;
}

export function clientUses(): readonly ClientUse[] {
  try {
    return readdirSync(usesFolder())
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => {
        const { at, version } = (readJson(join(usesFolder(), name)) ?? {}) as Partial<ClientUse>;
        if (typeof at !== 'number' || typeof version !== 'string') return [];
        return [{ client: basename(name, '.json'), at, version }];
      });
  } catch {
    return [];
  }
}
