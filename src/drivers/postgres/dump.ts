/** Backup and restore with pg_dump and pg_restore, which copy a consistent snapshot. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { BackupReport, CopyReport, RestoreOptions, RestoreReport } from '../../ports/maintenance.ts';
import type { Address } from './address.ts';
import { Database } from './database.ts';
import { progressOf } from './migrate.ts';
import { sql } from './sql.ts';

/** What the programs of Postgres understand of an address. */
const KNOWN = ['host', 'port', 'user', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/** The address without its password, which everybody on the machine could read in the list of processes. */
function splitAddress(address: string): { readonly shown: string; readonly password: string } {
  const url = new URL(address);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  for (const name of [...url.searchParams.keys()]) if (!KNOWN.includes(name)) url.searchParams.delete(name);
  return { shown: url.href, password };
}

function missing(program: string, command: string): KeepsakeError {
  return new KeepsakeError('UNSUPPORTED', `The program "${program}" is not installed on this machine.`, {
    hint: `Install the client programs of Postgres (for example "apt install postgresql-client"), or run this where they are: ${command}`,
  });
}

/** The password goes through a file that only this user reads, and that is gone afterwards. */
async function run(program: string, args: readonly string[], { url, place }: Address): Promise<void> {
  const { shown, password } = splitAddress(url);
  if (password === '') return runWith(program, [...args, `--dbname=${shown}`], place);
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-'));
  try {
    const passfile = join(folder, 'pass');
    const escaped = password.replaceAll(/[\\:]/g, '\\$&');
    await writeFile(passfile, `*:*:*:*:${escaped}\n`, { mode: 0o600 });
    const target = new URL(shown);
    target.searchParams.set('passfile', passfile);
    await runWith(program, [...args, `--dbname=${target.href}`], place);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runWith(program: string, args: readonly string[], place: string): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said = `${said}${part.toString()}`.slice(0, 4_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? missing(program, [program, ...args].join(' ').replace(/[?&]passfile=\S+/, ''))
          : error,
      ),
    );
    child.on('close', resolve);
  });
  if (code === 0) return;
  const first = said.trim().split('\n').slice(0, 3).join(' ');
  throw new KeepsakeError('STORAGE_FAILED', `${program} failed for Postgres at ${place}: ${first}`, {
    hint: `Its version must not be older than that of the server: compare "${program} --version".`,
  });
}

async function describe(file: string): Promise<CopyReport> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { file, bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

async function counts(database: Database): Promise<{ records: number; messages: number }> {
  const row = await database.row<{ records: number; messages: number }>(
    sql`SELECT (SELECT count(*) FROM records WHERE forgotten_at IS NULL) AS records,
          (SELECT count(*) FROM messages WHERE deleted_at IS NULL) AS messages`,
  );
  return row!;
}

/** A file has its name only when it is whole and on disk. */
async function dump(address: Address, target: string): Promise<CopyReport> {
  if (existsSync(target)) {
    throw new KeepsakeError('CONFLICT', `${target} exists already.`, {
      hint: 'Name a new file: a backup never overwrites one.',
    });
  }
  await mkdir(dirname(target), { recursive: true });
  const part = `${target}.part`;
  try {
    // Made first, so that nobody else can ever read it.
    await (await open(part, 'w', 0o600)).close();
    await run('pg_dump', ['--format=custom', `--schema=${address.schema}`, `--file=${part}`], address);
    const handle = await open(part, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
  return describe(target);
}

export async function backupPostgres(database: Database, target: string): Promise<BackupReport> {
  const before = await counts(database);
  return { ...(await dump(database.address, target)), ...before };
}

/** Everything or nothing: one transaction drops our tables and makes them again from the file. */
export async function restorePostgres(
  address: Address,
  source: string,
  { keepAs }: Pick<RestoreOptions, 'keepAs'>,
): Promise<RestoreReport> {
  if (!existsSync(source)) {
    throw new KeepsakeError('NOT_FOUND', `${source} does not exist.`, {
      hint: 'Name a file that "keepsake backup" or "pg_dump --format=custom" made.',
    });
  }
  const database = await Database.open(address);
  try {
    const isThere = (await progressOf(database)).done > 0;
    const previous = isThere ? { ...(await dump(address, keepAs)), intact: true } : undefined;
    await database.rows(sql`CREATE EXTENSION IF NOT EXISTS vector SCHEMA public`);
    const args = ['--clean', '--if-exists', '--no-owner', '--single-transaction', '--exit-on-error'];
    await run('pg_restore', [...args, source], address);
    // Refuses the file of a newer Keepsake before anybody uses it.
    await progressOf(database);
    return {
      ...(await describe(source)),
      ...(await counts(database)),
      ...(previous === undefined ? {} : { previous }),
    };
  } finally {
    await database.close();
  }
}
