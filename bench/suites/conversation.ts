/** What a durable message costs, and whether a long past makes the next start slower. */
import { appendFileSync, closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createClient } from '../../src/index.ts';
import { median, microseconds, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';

/** The least that a message in a file and in a database can cost: one synced append and one synced insert. */
function bareMinimum(folder: string): { write(text: string): void; close(): void } {
  const file = openSync(join(folder, 'bare.md'), 'a');
  const database = new Database(join(folder, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE messages (seq INTEGER PRIMARY KEY, role TEXT, content TEXT, at INTEGER)');
  const insert = database.prepare('INSERT INTO messages (role, content, at) VALUES (?, ?, ?)');
  return {
    write: (text) => {
      insert.run('User', text, 1);
      writeSync(file, `### User - 2026-01-01T00:00:00\n${text}\n\n---\n\n`);
      fsyncSync(file);
    },
    close: () => {
      closeSync(file);
      database.close();
    },
  };
}

async function adding(
  rounds: number,
  progress: (text: string) => void,
): Promise<{ rows: Row[]; single: number; many: number }> {
  const folder = temporaryFolder();
  const bare = bareMinimum(folder.path);
  const client = createClient({ workspace: folder.path });
  const conversation = await client.agent({ name: 'bench' }).shortMemory;
  const text = textMaker();
  const times = { bare: [] as number[], single: [] as number[], many: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    progress(`adding, round ${i + 1} of ${rounds}`);
    times.bare.push(await microseconds(150, () => bare.write(text())));
    times.single.push(await microseconds(150, () => conversation.add('User', text())));
    times.many.push(
      (await microseconds(30, () =>
        Promise.all(Array.from({ length: 32 }, () => conversation.add('User', text()))),
      )) / 32,
    );
  }
  await client.close();
  bare.close();
  folder.remove();
  const base = median(times.bare);
  const row = (what: string, values: number[]): Row => ({
    what,
    'µs each': round(median(values)),
    'per second': Math.round(1e6 / median(values)),
    'ratio to bare': round(base / median(values)),
  });
  return {
    rows: [
      row('bare append + insert, both synced', times.bare),
      row('add, one at a time', times.single),
      row('add, 32 at once', times.many),
    ],
    single: base / median(times.single),
    many: base / median(times.many),
  };
}

/** Time and memory to open an agent with this many messages in its log and its file. */
async function opening(
  messages: number,
  progress: (text: string) => void,
): Promise<{ ms: number; mb: number }> {
  const folder = temporaryFolder();
  const text = textMaker();
  const seed = createClient({ workspace: folder.path });
  const conversation = await seed.agent({ name: 'bench' }).shortMemory;
  for (let done = 0; done < messages; ) {
    const batch = Math.min(1_000, messages - done);
    await Promise.all(Array.from({ length: batch }, () => conversation.add('User', text())));
    done += batch;
    progress(`${done} messages logged`);
  }
  await seed.close();
  appendFileSync(join(folder.path, 'agents', 'bench', 'MEMORY.md'), '');
  const times: number[] = [];
  let mb = 0;
  for (let i = 0; i < 15; i++) {
    const before = process.memoryUsage().rss;
    const start = performance.now();
    const client = createClient({ workspace: folder.path });
    await client.agent({ name: 'bench' }).shortMemory;
    times.push(performance.now() - start);
    mb = Math.max(mb, (process.memoryUsage().rss - before) / 2 ** 20);
    await client.close();
  }
  folder.remove();
  return { ms: median(times), mb };
}

export const conversation: Suite = {
  name: 'conversation',
  question:
    'A durable message against a bare synced append plus insert; opening an agent by length of its past',
  async run({ quick, progress }) {
    const added = await adding(quick ? 3 : 7, progress);
    const small = await opening(1_000, progress);
    const many = quick ? 10_000 : 100_000;
    const large = await opening(many, progress);
    const open = (count: number, { ms, mb }: { ms: number; mb: number }): Row => ({
      what: `open with ${count.toLocaleString('en')} messages`,
      ms: round(ms),
      'MB more': round(mb),
    });
    return {
      rows: [...added.rows, open(1_000, small), open(many, large)],
      headline: [
        { name: 'message, one at a time', value: round(added.single) },
        { name: 'message, 32 at once', value: round(added.many) },
        {
          name: `open ${many.toLocaleString('en')} against 1,000 messages`,
          value: round(large.ms / small.ms),
          aim: '≤ 1.5',
        },
      ],
    };
  },
};
