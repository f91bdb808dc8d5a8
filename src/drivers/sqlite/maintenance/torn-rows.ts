/** Rows that can be read, but not as they were written: SQLite has no checksums, so our own have to tell. */
import type { Database } from 'better-sqlite3';
import type { Scope } from '../../../kernel/scope.ts';
import { recordDigest } from '../../common/digest.ts';
import { userOf } from '../../common/record-columns.ts';

interface Checked {
  readonly rid: number;
  readonly id: string;
  readonly agent: string;
  readonly scope: Scope;
  readonly source: string;
  readonly category: string;
  readonly content: string;
  /** Not there in files of older versions. */
  readonly thread?: string | null;
  readonly user_id?: string;
  readonly digest: Buffer;
}

/** Records whose text is not the one that they were stored with. */
export function tornRecords(database: Database): { readonly rid: number; readonly id: string }[] {
  const rows = database
    .prepare('SELECT * FROM records WHERE forgotten_at IS NULL')
    .iterate() as IterableIterator<Checked>;
  const torn: { rid: number; id: string }[] = [];
  for (const { rid, id, digest, thread = null, user_id = '', ...row } of rows) {
    if (!recordDigest({ ...row, thread, user: userOf(user_id) }).equals(digest)) torn.push({ rid, id });
  }
  return torn;
}

/** Where JSON is kept that we wrote ourselves. A row whose end is on a lost page reads as zeros from there on. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  messages: ['content'],
  events: ['event'],
  record_versions: ['snapshot'],
  states: ['document'],
  runs: ['participants', 'usage'],
  run_messages: ['content'],
  state_changes: ['value'],
};
const isTorn = (column: string): string => `NOT json_valid(${column}) OR instr(${column}, char(0)) > 0`;

function jsonTables(database: Database): [table: string, column: string][] {
  const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return Object.entries(JSON_COLUMNS)
    .filter(([table]) => has.get(table) !== undefined)
    .flatMap(([table, columns]) => columns.map((column): [string, string] => [table, column]));
}

/** The tables that hold torn rows. */
export function tornTables(database: Database): string[] {
  const torn = jsonTables(database)
    .filter(
      ([table, column]) =>
        database.prepare(`SELECT 1 FROM ${table} WHERE ${isTorn(column)}`).get() !== undefined,
    )
    .map(([table]) => table);
  const tables = [...new Set(torn)];
  return tornRecords(database).length > 0 ? ['records', ...tables] : tables;
}

/** How many were dropped. The caller holds the transaction. */
export function dropTorn(database: Database): number {
  let dropped = 0;
  for (const [table, column] of jsonTables(database)) {
    dropped += database.prepare(`DELETE FROM ${table} WHERE ${isTorn(column)}`).run().changes;
  }
  const drop = database.prepare('DELETE FROM records WHERE rid = ?');
  for (const { rid } of tornRecords(database)) dropped += drop.run(rid).changes;
  return dropped;
}
