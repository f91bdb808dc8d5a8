/** Checks of the text indexes: exactly the terms of every record are there, and nothing of anything else. */

import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { SqliteDatabase } from '../engine-package.ts';
import { areWordsStale, refreshWords } from '../fresh-words.ts';
import { addMessageWords } from '../message-words.ts';
import { migrate } from '../open-database.ts';
import { type Indexed, TextIndex } from '../text-index.ts';
import { type Check, counted } from './examine-check.ts';

/** Records analysed at a time, to keep memory flat. */
const STEP = 1_000;

/** Rowid → sum over its terms, columns and positions. Equal sums mean equal entries, up to one chance in four billion. */
type Fingerprints = Map<number, number>;

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** A contentless index keeps no text, but it can list which term stands where. */
function readFingerprints(database: Database): Fingerprints {
  database.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.examined USING fts5vocab (main, records_text, 'instance')",
  );
  const rows = database
    .prepare('SELECT term, doc, col, offset FROM temp.examined')
    .raw()
    .iterate() as IterableIterator<[term: string, doc: number, col: string, offset: number]>;
  const sums: Fingerprints = new Map();
  let term = '';
  let termHash = hashOf(term);
  for (const row of rows) {
    // Rows come in order of terms.
    if (row[0] !== term) {
      term = row[0];
      termHash = hashOf(term);
    }
    sums.set(row[1], (sums.get(row[1]) ?? 0) + mix(mix(termHash, hashOf(row[2])), row[3]));
  }
  return sums;
}

export interface Coverage {
  readonly missing: number;
  readonly surplus: number;
  readonly different: number;
}

/** Indexes every record again in memory, and compares. */
export function compareIndex(snapshot: Database): Coverage {
  const found = readFingerprints(snapshot);
  const sized = new Set(snapshot.prepare('SELECT id FROM records_text_docsize').pluck().all() as number[]);
  const page = snapshot.prepare(
    `SELECT rid, agent, nullif(user_id, '') AS user, scope, category, content, tags FROM records
     WHERE rid > ? AND forgotten_at IS NULL ORDER BY rid LIMIT ${STEP}`,
  );
  const memory = new SqliteDatabase(':memory:');
  let [missing, different] = [0, 0];
  try {
    migrate(memory);
    const index = new TextIndex(memory);
    for (let last = 0; ; ) {
      const rows = page.all(last) as (Indexed & { rid: number })[];
      memory.exec("INSERT INTO records_text (records_text) VALUES ('delete-all')");
      const readable = memory.transaction(() => rows.filter((row) => addIfReadable(index, row)))();
      const expected = readFingerprints(memory);
      for (const { rid } of readable) {
        const there = found.get(rid);
        if (there === undefined || !sized.has(rid)) missing++;
        else if (there !== expected.get(rid)) different++;
      }
      for (const { rid } of rows) {
        found.delete(rid);
        sized.delete(rid);
      }
      if (rows.length < STEP) break;
      last = rows.at(-1)!.rid;
    }
  } finally {
    memory.close();
  }
  return { missing, different, surplus: new Set([...found.keys(), ...sized]).size };
}

/** Tags that cannot be read are the matter of another check. */
function addIfReadable(index: TextIndex, row: Indexed & { rid: number }): boolean {
  try {
    index.add(row.rid, row);
    return true;
  } catch (error) {
    if (!KeepsakeError.is(error) || error.code !== 'CORRUPT') throw error;
    return false;
  }
}

const REBUILD = 'Run "keepsake doctor --fix" to rebuild it.';

const analysis: Check = {
  check: 'text.analysis',
  fine: 'The text indexes were made by this version of the analysis.',
  look: (snapshot) =>
    areWordsStale(snapshot)
      ? {
          severity: 'notice',
          message: 'A text index was made by another version of the analysis.',
          hint: 'It is rebuilt when the workspace is next opened.',
        }
      : undefined,
  mend: (database) => refreshWords(database),
};

const records: Check = {
  check: 'text.records',
  fine: 'The text index matches the memories.',
  look(snapshot) {
    if (new TextIndex(snapshot).stale) return undefined;
    const { missing, surplus, different } = compareIndex(snapshot);
    const parts = [
      ...(missing > 0 ? [`${counted(missing, 'memory is', 'memories are')} missing`] : []),
      ...(surplus > 0 ? [`${counted(surplus, 'entry belongs', 'entries belong')} to no memory`] : []),
      ...(different > 0 ? [`${counted(different, 'entry differs', 'entries differ')} from its memory`] : []),
    ];
    if (parts.length === 0) return undefined;
    return { message: `The text index does not match the memories: ${parts.join(', ')}.`, hint: REBUILD };
  },
  mend: (database) => void new TextIndex(database).rebuild(),
};

const MISSING_MESSAGES = `SELECT seq FROM messages WHERE deleted_at IS NULL AND seq NOT IN (SELECT id FROM messages_text_docsize)`;
const SURPLUS_MESSAGES = `SELECT id FROM messages_text_docsize WHERE id NOT IN (SELECT seq FROM messages WHERE deleted_at IS NULL)`;

/** Which messages are indexed can be checked; with which terms cannot, because their searchable text is not stored. */
const messages: Check = {
  check: 'text.messages',
  fine: 'Every message is in the text index of the log.',
  look(snapshot) {
    const count = (sql: string): number => snapshot.prepare(sql).pluck().all().length;
    const [missing, surplus] = [count(MISSING_MESSAGES), count(SURPLUS_MESSAGES)];
    if (missing + surplus === 0) return undefined;
    return {
      message: `The text index of the log does not match it: ${missing} missing, ${surplus} too many.`,
      hint: REBUILD,
    };
  },
  mend(database) {
    for (const id of database.prepare(SURPLUS_MESSAGES).pluck().all()) {
      database.prepare('DELETE FROM messages_text WHERE rowid = ?').run(id);
    }
    addMessageWords(database, database.prepare(MISSING_MESSAGES).pluck().all() as number[]);
  },
};

export const TEXT_CHECKS: readonly Check[] = [analysis, records, messages];
