/** Finds out what exactly is damaged: tables, which cannot be rebuilt, or indexes and vectors, which can. */
import type { Database } from 'better-sqlite3';
import { missingTables } from './examine-schema.ts';
import { TOKEN_TABLES } from './examine-tokens.ts';
import { VECTOR_TABLES } from './examine-vectors.ts';
import { complaints } from './snapshot.ts';
import { tornTables } from './torn-rows.ts';

export interface Damage {
  /** What SQLite said, line by line; empty when the database is sound. */
  readonly complaints: readonly string[];
  readonly tables: ReadonlySet<string>;
  readonly indexes: ReadonlySet<string>;
  /** Text indexes, by the name of their virtual table. */
  readonly texts: ReadonlySet<string>;
  /** Tables of vectors. */
  readonly vectors: ReadonlySet<string>;
  /** The book-keeping of free pages. */
  readonly space: boolean;
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly rootpage: number;
}

const TREE = /^Tree (\d+) /;
const INDEX = /(?:missing from index|entries in index|entry in index|of index|differ from index) (\S+)$/;
const SPACE = /^(?:Freelist:|Page \d+: never used|Main freelist:)/;
const SCHEMA_ROOT = 1;

export function findDamage(database: Database): Damage {
  const all = complaints(database);
  const tables = new Set<string>();
  const indexes = new Set<string>();
  const texts = new Set<string>();
  const vectors = new Set<string>();
  if (all.length === 0) return { complaints: all, tables, indexes, texts, vectors, space: false };

  let schema: SchemaRow[] = [];
  let kinds = new Map<string, string>();
  try {
    schema = database.prepare('SELECT type, name, rootpage FROM sqlite_schema').all() as SchemaRow[];
    kinds = kindsOfTables(database);
  } catch {
    tables.add('sqlite_schema');
  }
  const virtual = [...kinds].filter(([, kind]) => kind === 'virtual').map(([name]) => name);
  const blameTable = (name: string): void => {
    const text = virtual.find((candidate) => name === candidate || name.startsWith(`${candidate}_`));
    if (VECTOR_TABLES.includes(name) || TOKEN_TABLES.includes(name)) vectors.add(name);
    else if (text === undefined) tables.add(name);
    else texts.add(text);
  };
  const blame = (line: string, table: string): void => {
    const tree = TREE.exec(line);
    const index = INDEX.exec(line);
    if (tree !== null) {
      const owner = schema.find((row) => row.rootpage === Number(tree[1]));
      if (Number(tree[1]) === SCHEMA_ROOT || owner === undefined) tables.add('sqlite_schema');
      else if (owner.type === 'index') indexes.add(owner.name);
      else blameTable(owner.name);
    } else if (index !== null) indexes.add(index[1]!);
    else blameTable(table);
  };
  // Table by table, so that damage in one does not hide that of the next.
  for (const { type, name } of schema) {
    if (type === 'table') for (const line of complaints(database, name)) blame(line, name);
  }
  // An index that disagrees with its table may be right: then the row is torn, and a new index would only hide it.
  if (indexes.size > 0 && tables.size === 0) for (const name of readTorn(database)) tables.add(name);
  const space = all.some((line) => SPACE.test(line));
  // Pages that belong to nobody are what is left of a table that vanished from the schema.
  if (space) for (const name of missingTables(database)) tables.add(name);
  // What could not be blamed on anything may be anywhere.
  if (tables.size + indexes.size + texts.size + vectors.size === 0 && !space) tables.add('sqlite_schema');
  return { complaints: all, tables, indexes, texts, vectors, space };
}

function readTorn(database: Database): string[] {
  try {
    return tornTables(database);
  } catch {
    return ['sqlite_schema'];
  }
}

function kindsOfTables(database: Database): Map<string, string> {
  const rows = database.pragma('main.table_list') as { name: string; type: string }[];
  return new Map(rows.map((row) => [row.name, row.type]));
}
