/** Reads every row that can still be read out of a damaged database into a sound one. */
import type { Database, Statement } from 'better-sqlite3';
import { isSqliteError } from '../errors.ts';
import { registerOwners } from './examine-agents.ts';
import { MEND_JSON } from './examine-records.ts';
import { mendSalvagedTokens, TOKEN_TABLES } from './examine-tokens.ts';
import { mendSalvagedVectors, VECTOR_TABLES } from './examine-vectors.ts';
import { dropTorn } from './torn-rows.ts';

/** How far to look beyond damage when the end of a table cannot be found either: more rows than any page holds. */
const BLIND_REACH = 2_000n;

type Value = string | number | bigint | Buffer | null;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The integer key that is the row's address, if it has one. */
  readonly key: string | undefined;
  readonly order: readonly string[];
}

const DERIVED = [...VECTOR_TABLES, ...TOKEN_TABLES];

const isDamage = (error: unknown): boolean =>
  isSqliteError(error) && /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(error.code);
const isRefusal = (error: unknown): boolean =>
  isSqliteError(error) && /^SQLITE_(CONSTRAINT|MISMATCH)/.test(error.code);

/**
 * Fills `target`, which has the schema of `source` and no rows. True when not a single row was lost that cannot be made
 * again. Indexes and the text index of `source` are not even looked at.
 */
export function salvageRows(source: Database, target: Database): boolean {
  target.pragma('foreign_keys = OFF');
  try {
    return target
      .transaction(() => {
        const complete = tablesOf(target).map(
          (table) => copyTable(source, target, table) || DERIVED.includes(table.name),
        );
        const torn = dropTorn(target);
        for (const sql of MEND_JSON) target.prepare(sql).run();
        registerOwners(target);
        dropOrphans(target);
        mendSalvagedVectors(target);
        mendSalvagedTokens(target);
        return complete.every(Boolean) && torn === 0;
      })
      .immediate();
  } finally {
    target.pragma('foreign_keys = ON');
  }
}

function tablesOf(database: Database): Table[] {
  const list = database.pragma('main.table_list') as { name: string; type: string; wr: number }[];
  return list
    .filter(({ name, type }) => type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name, wr }) => {
      const info = database.pragma(`table_info("${name}")`) as { name: string; type: string; pk: number }[];
      const primary = info.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
      const isAddress = wr === 0 && primary.length === 1 && primary[0]!.type === 'INTEGER';
      return {
        name,
        columns: info.map((column) => column.name),
        key: isAddress ? primary[0]!.name : undefined,
        order: primary.map((column) => column.name),
      };
    });
}

/** Rows whose owner was lost say nothing any more, and would break the rules of the schema. */
function dropOrphans(database: Database): void {
  for (const { name } of tablesOf(database)) {
    const references = database.pragma(`foreign_key_list("${name}")`) as {
      table: string;
      from: string;
      to: string;
    }[];
    for (const { table, from, to } of references) {
      database.exec(
        `DELETE FROM ${name} WHERE ${from} IS NOT NULL AND ${from} NOT IN (SELECT ${to} FROM ${table})`,
      );
    }
  }
}

function copyTable(source: Database, target: Database, table: Table): boolean {
  if (source.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table.name) === undefined)
    return false;
  target.exec(`DELETE FROM ${table.name}`);
  const marks = table.columns.map(() => '?').join(', ');
  const insert = target.prepare(
    `INSERT OR IGNORE INTO ${table.name} (${table.columns.join(', ')}) VALUES (${marks})`,
  );
  let refused = false;
  const take = (row: readonly Value[]): void => {
    try {
      if (insert.run(...row).changes === 0 && table.key !== undefined) refused = true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused = true;
    }
  };
  const whole =
    table.key === undefined
      ? scanFromBothEnds(source, table, take)
      : scanByKey(source, table, table.key, take);
  return whole && !refused;
}

/** Walks along the key; where a page cannot be read, looks for the next key that can. */
function scanByKey(
  source: Database,
  table: Table,
  key: string,
  take: (row: readonly Value[]) => void,
): boolean {
  const select = `SELECT ${table.columns.join(', ')} FROM ${table.name} NOT INDEXED WHERE ${key}`;
  const position = table.columns.indexOf(key);
  let last = 0n;
  let whole = true;
  const accept = (row: Value[]): void => {
    take(row);
    last = row[position] as bigint;
  };
  for (;;) {
    try {
      const rows = source.prepare(`${select} > ? ORDER BY ${key}`).raw().safeIntegers();
      for (const row of rows.iterate(last) as IterableIterator<Value[]>) accept(row);
      return whole;
    } catch (error) {
      if (!isDamage(error)) throw error;
      whole = false;
    }
    const next = findReadable(source, table, `${select} = ?`, last);
    if (next === undefined) return false;
    accept(next);
  }
}

function findReadable(source: Database, table: Table, sql: string, after: bigint): Value[] | undefined {
  let probe: Statement;
  try {
    probe = source.prepare(sql).raw().safeIntegers();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
  const end = lastKey(source, table) ?? after + BLIND_REACH;
  for (let key = after + 1n; key <= end; key++) {
    try {
      const row = probe.get(key) as Value[] | undefined;
      if (row !== undefined) return row;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return undefined;
}

function lastKey(source: Database, { name, key }: Table): bigint | undefined {
  try {
    return (
      (source.prepare(`SELECT max(${key}) FROM ${name} NOT INDEXED`).pluck().safeIntegers().get() as
        | bigint
        | null) ?? 0n
    );
  } catch {
    return undefined;
  }
}

/** Without an integer key one cannot jump over the damage, but reach it from both sides. */
function scanFromBothEnds(source: Database, table: Table, take: (row: readonly Value[]) => void): boolean {
  for (const direction of ['ASC', 'DESC']) {
    try {
      const order = table.order.map((column) => `${column} ${direction}`).join(', ');
      const rows = source.prepare(`SELECT ${table.columns.join(', ')} FROM ${table.name} ORDER BY ${order}`);
      for (const row of rows.raw().safeIntegers().iterate() as IterableIterator<Value[]>) take(row);
      return direction === 'ASC';
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return false;
}
