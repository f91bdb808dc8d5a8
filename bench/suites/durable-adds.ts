/** Durable adds per second, single and many at once, against a program written by hand that stores the same, and the disk itself. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createClient } from '../../src/index.ts';
import { createStaticModel } from '../../src/models/static/index.ts';
import { median, microseconds, rawAppend, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Suite } from '../lib/suite.ts';

const AT_ONCE = 32;

/** A row, its entry for search by words and its vector, each in the plainest way; as many texts in one transaction as come together. */
function byHand(folder: string) {
  const database = new SqliteDatabase(join(folder, 'by-hand.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`CREATE TABLE records (rid INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, scope TEXT NOT NULL,
      source TEXT NOT NULL, category TEXT NOT NULL, tags TEXT NOT NULL, content TEXT NOT NULL, metadata TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
    CREATE INDEX by_agent ON records (agent, created_at);
    CREATE VIRTUAL TABLE words USING fts5 (content, content = '', tokenize = 'porter');
    CREATE TABLE vectors (rid INTEGER PRIMARY KEY, vector BLOB NOT NULL)`);
  const record = database.prepare(
    `INSERT INTO records (id, agent, scope, source, category, tags, content, metadata, created_at, updated_at)
       VALUES (?, 'bench', 'agent', 'manual', 'general', '[]', ?, '{}', ?, ?)`,
  );
  const words = database.prepare('INSERT INTO words (rowid, content) VALUES (?, ?)');
  const vector = database.prepare('INSERT INTO vectors VALUES (?, ?)');
  const model = createStaticModel();
  const add = database.transaction((texts: readonly string[]) => {
    for (const text of texts) {
      const now = Date.now();
      const rid = record.run(randomUUID(), text, now, now).lastInsertRowid;
      words.run(rid, text);
      const { buffer, byteOffset, byteLength } = model.embedNow!(text);
      vector.run(rid, Buffer.from(buffer, byteOffset, byteLength));
    }
  });
  return { add: (texts: readonly string[]) => add.immediate(texts), close: () => database.close() };
}

export const durableAdds: Suite = {
  name: 'durable-adds',
  why: `Why aims are missed: the program written by hand only stores. An add besides looks for duplicates, asks the guard, keeps to the limits of its
agent, and writes an event and who it was in the same transaction ([0015](design/0015-what-a-group-writes-once.md)).`,
  question: `Durable adds per second, as a ratio to a program written by hand with better-sqlite3: the same row, entry for words and vector, ${AT_ONCE} in one transaction where ${AT_ONCE} come at once`,
  async run({ quick, progress }) {
    const folder = temporaryFolder();
    const raw = rawAppend(folder.path);
    const hand = byHand(folder.path);
    const client = createClient({ workspace: folder.path, config: { memory: { maxEntries: 10_000_000 } } });
    const { memory } = client.agent({ name: 'bench' });
    const text = textMaker();
    const add = () => memory.add({ content: text() });
    const many = Array.from({ length: AT_ONCE });
    await microseconds(200, add);
    await microseconds(200, () => hand.add([text()]));
    const rounds = quick ? 3 : 9;
    const times: Record<'raw' | 'hand' | 'handTogether' | 'single' | 'together', number[]> = {
      ...{ raw: [], hand: [], handTogether: [], single: [], together: [] },
    };
    // Interleaved, so that a slow moment of the machine hits all of them alike.
    for (let i = 0; i < rounds; i++) {
      progress(`round ${i + 1} of ${rounds}`);
      times.raw.push(await microseconds(300, raw.write));
      times.hand.push(await microseconds(300, () => hand.add([text()])));
      times.single.push(await microseconds(300, add));
      times.handTogether.push((await microseconds(60, () => hand.add(many.map(() => text())))) / AT_ONCE);
      times.together.push((await microseconds(60, () => Promise.all(many.map(add)))) / AT_ONCE);
    }
    await client.close();
    hand.close();
    raw.close();
    folder.remove();
    const of = (values: readonly number[]) => median(values);
    const row = (what: string, values: readonly number[], bound: readonly number[]) => ({
      what,
      'µs each': round(of(values)),
      'per second': Math.round(1e6 / of(values)),
      'ratio to by hand': round(of(bound) / of(values)),
    });
    return {
      rows: [
        row('raw append of 4 KiB + fdatasync', times.raw, times.hand),
        row('by hand, one at a time', times.hand, times.hand),
        row('add, one at a time', times.single, times.hand),
        row(`by hand, ${AT_ONCE} at once`, times.handTogether, times.handTogether),
        row(`add, ${AT_ONCE} at once`, times.together, times.handTogether),
      ],
      headline: [
        { name: 'add, one at a time', value: round(of(times.hand) / of(times.single)), aim: '≥ 0.8' },
        {
          name: `add, ${AT_ONCE} at once`,
          value: round(of(times.handTogether) / of(times.together)),
          aim: '≥ 0.8',
        },
      ],
    };
  },
};
