/** Checks of the schema: what the file has, compared with what the migrations make. */
import type { Database } from 'better-sqlite3';
import { SqliteDatabase } from '../engine-package.ts';
import { migrate } from '../open-database.ts';
import { type Check, some } from './examine-check.ts';

interface SchemaObject {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

type Schema = ReadonlyMap<string, SchemaObject>;

/** Without what SQLite makes by itself: automatic indexes, its own tables, statistics. */
export function readSchema(database: Database): Schema {
  const objects = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all() as SchemaObject[];
  return new Map(objects.map((object) => [object.name, object]));
}

const made = new Map<number, Schema>();

/** What a database of the same version has when it is new. */
export function expectedSchema(version: number): Schema {
  let schema = made.get(version);
  if (schema === undefined) {
    const fresh = new SqliteDatabase(':memory:');
    migrate(fresh, version);
    schema = readSchema(fresh);
    fresh.close();
    made.set(version, schema);
  }
  return schema;
}

const versionOf = (database: Database): number => database.pragma('user_version', { simple: true }) as number;

function differing(
  database: Database,
  type: SchemaObject['type'],
): { missing: SchemaObject[]; changed: SchemaObject[] } {
  const found = readSchema(database);
  const expected = [...expectedSchema(versionOf(database)).values()].filter((object) => object.type === type);
  return {
    missing: expected.filter((object) => !found.has(object.name)),
    changed: expected.filter(
      (object) => found.has(object.name) && found.get(object.name)!.sql !== object.sql,
    ),
  };
}

export const missingTables = (database: Database): string[] =>
  differing(database, 'table').missing.map((object) => object.name);

const namesOf = (objects: readonly SchemaObject[]): string => some(objects.map((object) => object.name));

const tables: Check = {
  check: 'schema.tables',
  fine: 'Every table is as this version of Keepsake makes it.',
  look(snapshot) {
    const { missing, changed } = differing(snapshot, 'table');
    if (missing.length + changed.length === 0) return undefined;
    const parts = [
      ...(missing.length > 0 ? [`missing tables: ${namesOf(missing)}`] : []),
      ...(changed.length > 0 ? [`changed tables: ${namesOf(changed)}`] : []),
    ];
    return {
      message: `The schema is not the one that Keepsake made (${parts.join('; ')}).`,
      hint: 'Somebody changed the file by other means; bring a backup back with "keepsake restore <backup>".',
    };
  },
};

const indexes: Check = {
  check: 'schema.indexes',
  fine: 'Every index exists.',
  look(snapshot) {
    const { missing, changed } = differing(snapshot, 'index');
    if (missing.length + changed.length === 0) return undefined;
    return {
      message: `Indexes are missing or changed (${namesOf([...missing, ...changed])}).`,
      hint: 'Run "keepsake doctor --fix" to rebuild them.',
    };
  },
  mend(database) {
    const { missing, changed } = differing(database, 'index');
    for (const { name } of changed) database.exec(`DROP INDEX "${name}"`);
    for (const { sql } of [...changed, ...missing]) database.exec(sql);
  },
};

const extras: Check = {
  check: 'schema.extras',
  fine: 'There is nothing in the database that is not ours.',
  look(snapshot) {
    const expected = expectedSchema(versionOf(snapshot));
    const extra = [...readSchema(snapshot).values()].filter((object) => !expected.has(object.name));
    if (extra.length === 0) return undefined;
    // A trigger can change what we write; anything else is only in the way.
    const harmful = extra.some((object) => object.type === 'trigger');
    return {
      severity: harmful ? 'problem' : 'notice',
      message: `The database holds things that Keepsake did not make (${some(extra.map(({ type, name }) => `${type} ${name}`))}).`,
      hint: 'If they are not yours, remove them with an SQLite of version 3.51.3 or newer while no Keepsake is running.',
    };
  },
};

export const SCHEMA_CHECKS: readonly Check[] = [tables, indexes, extras];
