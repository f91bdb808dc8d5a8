/** What one would write without a memory library: better-sqlite3 with FTS5 and sqlite-vec, a transaction for each text. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { fuseRanks } from './fuse-ranks.ts';
import type { Peer } from './peer.ts';

const CANDIDATES = 40;
const BUSY_MS = 10_000;
const WORDS = /[\p{L}\p{N}]+/gu;

export const byHand: Peer = {
  name: 'SQLite by hand (FTS5 + sqlite-vec)',
  packages: ['better-sqlite3@13.0.3', 'sqlite-vec@0.1.9'],
  isDurable: true,
  async open(folder, embed) {
    const database = new SqliteDatabase(join(folder, 'memory.db'), { timeout: BUSY_MS });
    load(database);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec(`CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, content TEXT NOT NULL);
      CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (content, content = 'notes', content_rowid = 'id', tokenize = 'porter');
      CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING vec0 (vector float[${embed('one').length}] distance_metric=cosine)`);
    const note = database.prepare('INSERT INTO notes (content) VALUES (?)');
    const word = database.prepare('INSERT INTO words (rowid, content) VALUES (?, ?)');
    const vector = database.prepare('INSERT INTO vectors (rowid, vector) VALUES (?, ?)');
    const byWords = database
      .prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?')
      .pluck();
    const byMeaning = database
      .prepare('SELECT rowid FROM vectors WHERE vector MATCH ? ORDER BY distance LIMIT ?')
      .pluck();
    const read = database.prepare('SELECT content FROM notes WHERE id = ?').pluck();
    const all = database.prepare('SELECT content FROM notes').pluck();
    const add = database.transaction((text: string) => {
      const id = BigInt(note.run(text).lastInsertRowid);
      word.run(id, text);
      vector.run(id, Float32Array.from(embed(text)));
    });
    return {
      add: async (text) => void add.immediate(text),
      search: async (query, limit) => {
        const match = (query.match(WORDS) ?? []).map((one) => `"${one}"`).join(' OR ');
        const lists = [
          byWords.all(match, CANDIDATES),
          byMeaning.all(Float32Array.from(embed(query)), CANDIDATES),
        ];
        return fuseRanks(lists as number[][], limit).map((id) => read.get(id) as string);
      },
      all: async () => all.all() as string[],
      close: async () => void database.close(),
    };
  },
};
