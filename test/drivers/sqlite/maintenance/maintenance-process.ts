/** Another process that has the same database open; `maintenance-fixture.ts` starts it with a verb. */
import { createInterface } from 'node:readline';
import SqliteDatabase from 'better-sqlite3';
import { openSqlite, restoreSqlite } from '../../../../src/drivers/sqlite/index.ts';
import { openDatabase } from '../../../../src/drivers/sqlite/open-database.ts';
import { analyze } from '../../../../src/kernel/analysis.ts';
import type { RecordDraft } from '../../../../src/ports/record-store.ts';

const [verb, file, ...rest] = process.argv.slice(2) as [string, string, ...string[]];
const say = (line: unknown): void => console.log(typeof line === 'string' ? line : JSON.stringify(line));

const AT = 1_790_000_000_000;
const CONTEXT = { at: AT, viewer: { role: 'admin' }, via: 'sdk' } as const;

function record(id: string): RecordDraft {
  return {
    id,
    agent: 'other-process',
    scope: 'agent',
    source: 'manual',
    category: 'fact',
    confidence: 1,
    content: `${id} was written while others backed up and restored. ${'Padding. '.repeat(40)}`,
    tags: [],
    metadata: {},
    origin: 'agent',
    pinned: false,
    thread: null,
    user: null,
    validFrom: null,
    expiresAt: null,
  };
}

const verbs: Record<string, () => Promise<void>> = {
  /** Writes as fast as it can and names each id after its acknowledgement. */
  async write() {
    const storage = await openSqlite({ file });
    const prefix = rest[0]!;
    say('ready');
    for (let i = 0; ; i++) {
      const ids = Array.from({ length: 4 }, (_, k) => `mem_${prefix}_${i}_${k}`);
      await Promise.all(ids.map((id) => storage.records.add(record(id), { maxFacts: 1_000_000 }, CONTEXT)));
      say(ids.join(' '));
    }
  },

  /** Holds the database open, with all its prepared statements, and answers questions. */
  async hold() {
    const storage = await openSqlite({ file });
    const page = { viewer: { role: 'admin' }, now: AT, filter: {}, limit: 1_000_000 } as const;
    const answer = async (question: string): Promise<unknown> => {
      const [word, argument = ''] = question.split(' ');
      if (word === 'count') return (await storage.records.list(page)).length;
      if (word === 'get')
        return (await storage.records.get(argument, { role: 'admin' }, AT))?.content ?? null;
      if (word === 'search')
        return (await storage.records.searchText({ ...page, terms: analyze(argument) })).length;
      if (word === 'latest') return storage.events.latest();
      const added = await storage.records.add(record(argument), { maxFacts: 1_000_000 }, CONTEXT);
      return added.events[0]!.seq;
    };
    say('ready');
    for await (const question of createInterface({ input: process.stdin })) {
      say(await answer(question).catch((error: Error) => `failed: ${error.message}`));
    }
  },

  async restore() {
    const [source, keepAs] = rest as [string, string];
    say('ready');
    await restoreSqlite({ file, source, keepAs, now: AT, busyTimeoutMs: 10_000 });
    say('restored');
  },

  /** Says whether anybody holds the write lock at this moment. */
  async lock() {
    const database = new SqliteDatabase(file, { timeout: 0 });
    try {
      database.exec('BEGIN IMMEDIATE');
      say('free');
    } catch {
      say('held');
    }
  },

  /** Waits for a signal, so that several of these open the file at the same moment. */
  async open() {
    say('ready');
    for await (const _ of createInterface({ input: process.stdin })) break;
    const database = await openDatabase({ file, busyTimeoutMs: 10_000 });
    say(database.pragma('user_version', { simple: true }));
    database.close();
    process.exit(0);
  },
};

await verbs[verb]!();
