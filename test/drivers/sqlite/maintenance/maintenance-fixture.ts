/** What the tests of maintenance share: folders, content, defects, checksums and other processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openSqlite } from '../../../../src/drivers/sqlite/index.ts';
import type { Finding } from '../../../../src/ports/maintenance.ts';
import type { RecordDraft, WriteContext } from '../../../../src/ports/record-store.ts';
import type { Storage } from '../../../../src/ports/storage.ts';

export const NOW = 1_790_000_000_000;
export const CONTEXT: WriteContext = { at: NOW, viewer: { role: 'admin' }, via: 'sdk' };
export const ADMIN = { role: 'admin' } as const;

/** Private like a workspace's, and gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-maintenance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function open(file: string): Promise<Storage> {
  const storage = await openSqlite({ file });
  onTestFinished(() => storage.close());
  return storage;
}

export function draft(name: string | number, changes: Partial<RecordDraft> = {}): RecordDraft {
  return {
    id: `mem_${name}`,
    agent: 'researcher',
    scope: 'agent',
    source: 'manual',
    category: 'fact',
    confidence: 0.9,
    content: `The ${name}th quick brown fox jumps over 東京タワー and a lazy dog. ${'Lorem ipsum dolor. '.repeat(12)}`,
    tags: ['animal', `tag-${name}`],
    metadata: { number: name },
    origin: 'user',
    pinned: false,
    thread: null,
    user: null,
    validFrom: null,
    expiresAt: null,
    ...changes,
  };
}

export async function add(
  storage: Storage,
  name: string | number,
  changes: Partial<RecordDraft> = {},
): Promise<void> {
  await storage.records.add(draft(name, changes), { maxFacts: 1_000_000 }, CONTEXT);
}

/** Two agents, one with shared memories; updates, expiry and a forgotten one; messages, a state and events. */
export async function fill(storage: Storage, records = 120): Promise<void> {
  const adds: Promise<void>[] = [];
  for (let i = 0; i < records; i++) {
    adds.push(add(storage, i, i % 3 === 0 ? { agent: 'Writer', scope: 'swarm', source: 'extracted' } : {}));
  }
  adds.push(add(storage, 'task', { source: 'task_completion', expiresAt: NOW - 1 }));
  adds.push(add(storage, 'gone', { content: 'A secret that must not stay.' }));
  await Promise.all(adds);
  await storage.records.update('mem_1', { content: 'Changed once.' }, { maxFacts: 1_000_000 }, CONTEXT);
  await storage.records.update('mem_1', { content: 'Changed twice.' }, { maxFacts: 1_000_000 }, CONTEXT);
  await storage.records.forget('mem_gone', CONTEXT);
  await storage.log.append(
    Array.from({ length: 40 }, (_, i) => ({
      id: `msg_${i}`,
      agent: 'researcher',
      thread: 'researcher',
      run: i % 2 === 0 ? 'run_1' : null,
      role: 'User',
      content: [{ type: 'text', text: `Question number ${i}` }],
      metadata: { i },
      at: NOW + i,
      text: `Question number ${i}`,
    })),
  );
  await storage.state.create({
    run: 'run_1',
    document: { step: 1 },
    by: 'researcher',
    at: NOW,
    leaseUntil: NOW + 1,
  });
}

/** A filled database that nobody has open. */
export async function filledFile(folder: string, records?: number): Promise<string> {
  const file = join(folder, 'keepsake.db');
  const storage = await openSqlite({ file });
  await fill(storage, records);
  await storage.close();
  return file;
}

/** Hash of every row of every table of our own, through the engine; the order on disk does not matter. */
export function checksum(file: string): string {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    const hash = createHash('sha256');
    const tables = database
      .prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
      )
      .pluck()
      .all() as string[];
    for (const table of tables) {
      const rows = database.prepare(`SELECT * FROM ${table}`).raw().all() as unknown[][];
      hash.update(`${table}\n`);
      for (const row of rows.map((row) => JSON.stringify(row)).sort()) hash.update(row);
    }
    return hash.digest('hex');
  } finally {
    database.close();
  }
}

export function hashOfFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Changes a database behind our back, without the rules that protect it. */
export function tamper(file: string, ...statements: string[]): void {
  const database = new SqliteDatabase(file);
  try {
    database.unsafeMode(true);
    database.pragma('foreign_keys = OFF');
    database.pragma('ignore_check_constraints = ON');
    database.pragma('writable_schema = ON');
    for (const sql of statements) database.exec(sql);
  } finally {
    database.close();
  }
}

/** The numbers of the leaf pages of a table or index. */
export function pagesOf(file: string, name: string): number[] {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return database
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno")
      .pluck()
      .all(name) as number[];
  } finally {
    database.close();
  }
}

/** Overwrites bytes of a file that nobody has open. */
export function overwrite(file: string, position: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

export const PAGE = 4096;
export const JUNK = Buffer.alloc(PAGE, 0xa5);

export function wreckPage(file: string, page: number | undefined, bytes: Buffer = JUNK): void {
  if (page === undefined) throw new Error('There is no such page to wreck.');
  overwrite(file, (page - 1) * PAGE, bytes);
}

export function read<T>(file: string, look: (database: Database) => T): T {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

export function troubles(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.severity !== 'ok');
}

const PROGRAM = fileURLToPath(new URL('./maintenance-process.ts', import.meta.url));

export interface OtherProcess {
  readonly child: ChildProcess;
  /** Every line that it printed so far. */
  readonly lines: string[];
  line(matching: (line: string) => boolean): Promise<string>;
  ask(question: string): Promise<string>;
  readonly ended: Promise<number | NodeJS.Signals>;
  kill(): Promise<void>;
}

/** Starts `maintenance-process.ts` with a verb; it is killed at the end of the test if it still runs. */
export function otherProcess(...words: string[]): OtherProcess {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const notify = (): void => {
    for (const check of [...waiting]) check();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    notify();
  });
  let over = false;
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on('close', (code, signal) => {
      over = true;
      resolve(code ?? signal!);
      notify();
    });
  });
  const line = (matching: (line: string) => boolean, from = 0): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = lines.slice(from).find(matching);
        if (found === undefined && !over) return;
        waiting.delete(check);
        if (found === undefined)
          reject(new Error(`The process ended; it said ${JSON.stringify(lines.slice(-5))}.`));
        else resolve(found);
      };
      waiting.add(check);
      check();
    });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return {
    child,
    lines,
    line,
    ask: (question) => {
      const from = lines.length;
      child.stdin.write(`${question}\n`);
      return line(() => true, from);
    },
    ended,
    kill,
  };
}
