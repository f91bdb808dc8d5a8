import { createHash } from 'node:crypto';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { expectedSchema, readSchema } from '../../../src/drivers/sqlite/maintenance/examine-schema.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src/drivers/sqlite/migrations/index.ts';
import { APPLICATION_ID, migrate, openDatabase } from '../../../src/drivers/sqlite/open-database.ts';
import {
  ADMIN,
  add,
  NOW,
  open,
  otherProcess,
  read,
  temporaryFolder,
  troubles,
} from './maintenance/maintenance-fixture.ts';

/**
 * SHA-256 of every migration, in order. A migration that was released is frozen: databases in the field have gone through
 * it already, so an edit would make new databases differ from theirs. To change the schema, append a new migration in
 * src/drivers/sqlite/migrations/ and its hash, which the failing test prints, at the end of this list.
 */
const FROZEN: readonly string[] = [
  '2fe27fd7ce0890b2c9ec190f9a38e336e60b708f344087e7534e6b864048a86a',
  '55a68b6858b8229173e59bd6449ccf02ccb7ae0978f216fd694a953d7f184309',
  '1791c478115f8cc8556683bca04824aa8f0d84a858b615377daa05b1f0527bc9',
  'e445de703a7c3e82fcad146daca05f5b0f67c2de477c9bf88e133c23d4726da6',
  '7d37d7678eb91e074bbf0f6e80d04b1826a048ddd4b78595d550ed7ba6b38391',
  'b6267276fb778a7e3a395a327e224d56826024af40680007804355f50814b310',
  'b1ab35636f1c6279de3c3fe4ad568516f0b76790f794d62ac2db2e999c133ada',
  'de4d00e265e66490e6fa69b3b35ba651725ba2766768d192c4ec5457bee0a19e',
  'c9ac6ae0b745dc00074c344ed51687b770ad4e8c5e03cd6c681002a3b9064e4e',
  '1710172f08eaba490c59c702f9416a71bf79fb7603617331c4d918bb4a17ea03',
  '65db22d491c188f0fb0a3834d6a397a318597e0e5067a1eb57586366b716207f',
  '13ee9bb98edb5042b9f0fdcf556cdb7f711d48d561205aaac4d75b5134868d5b',
  'f7562bce8df694b45efebd071634d60519b9315a2a7cf08b063913b295eabf5f',
  '2c7f9c8a5a17d867fbab849888bec5b29e6bc4bb8e20e5f66721dbd4a36ce56b',
  '8ab06f8da3a304a254426f5da29167413fbfb361538ed68a52d59bdc3faf80fa',
  'd0c200a65358eb71e52e664f5c728c7dcaa3d410897ac2e949157f4dd7d308b7',
  '1ccd546c58147114a3f45d86edbf977128742f6d3cbb858f6bde81187da5353e',
];

const ROWS = 3;

/** Values that a column must have beyond its type; `agent` points to `agents.name`. */
const SPECIAL: Readonly<Record<string, (row: number) => string | number>> = {
  agent: (row) => `name-${row}`,
  scope: (row) => (row % 2 === 0 ? 'agent' : 'swarm'),
  pinned: () => 0,
  counted: () => 1,
  tags: (row) => `["tag-${row}"]`,
  metadata: (row) => `{"row":${row}}`,
  snapshot: (row) => `{"row":${row}}`,
  event: (row) => `{"row":${row}}`,
  document: (row) => `{"row":${row}}`,
  entry: (row) => `{"row":${row}}`,
};

function tablesOf(database: Database): string[] {
  const list = database.pragma('main.table_list') as { name: string; type: string }[];
  return list
    .filter(({ name, type }) => type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => name);
}

/** As soon as somebody follows, triggers write rows of their own: that is put last. */
const LAST = 'vector_feed';

function putRows(database: Database): void {
  const tables = tablesOf(database).sort((a, b) => Number(a === LAST) - Number(b === LAST));
  for (const table of tables) {
    const columns = database.pragma(`table_info("${table}")`) as { name: string; type: string }[];
    const insert = database.prepare(
      `INSERT INTO ${table} (${columns.map((column) => column.name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (let row = 1; row <= ROWS; row++) {
      insert.run(
        columns.map(({ name, type }) => {
          const special = SPECIAL[name];
          if (special !== undefined) return special(row);
          if (type === 'TEXT') return `${name}-${row}`;
          if (type === 'BLOB') return Buffer.from(`${name}-${row}`);
          return type === 'REAL' ? row / 10 : BigInt(row);
        }),
      );
    }
  }
}

/** The rows of the tables of version `version`, by the columns that they had then. */
function rowsOf(database: Database, version: number): Record<string, unknown[]> {
  const then = new SqliteDatabase(':memory:');
  migrate(then, version);
  const rows = Object.fromEntries(
    tablesOf(then).map((table) => {
      const columns = (then.pragma(`table_info("${table}")`) as { name: string }[])
        .map((column) => column.name)
        .join(', ');
      return [table, database.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1`).all()];
    }),
  );
  then.close();
  return rows;
}

describe('migrations', () => {
  test('those that were released are as they were', () => {
    const hashes = MIGRATIONS.map((sql) => createHash('sha256').update(sql).digest('hex'));
    expect(
      FROZEN,
      `FROZEN in ${import.meta.filename} must be these hashes; add new ones at the end, and never change one of a release:\n${hashes.map((hash) => `  '${hash}',`).join('\n')}\n`,
    ).toEqual(hashes);
  });

  test.each(MIGRATIONS.map((_, version) => version))(
    'a database of version %i becomes a new one with its old rows',
    async (version) => {
      const file = join(temporaryFolder(), 'keepsake.db');
      const old = new SqliteDatabase(file);
      migrate(old, version);
      old.pragma('foreign_keys = OFF');
      if (version > 0) putRows(old);
      old.pragma('foreign_keys = ON');
      expect(old.pragma('foreign_key_check')).toEqual([]);
      const before = rowsOf(old, version);
      for (const [table, rows] of Object.entries(before))
        expect(rows.length, table).toBeGreaterThanOrEqual(ROWS);
      old.close();

      const upgraded = await openDatabase({ file, busyTimeoutMs: 1_000 });

      expect(upgraded.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
      expect(upgraded.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
      expect(readSchema(upgraded)).toEqual(expectedSchema(SCHEMA_VERSION));
      expect(rowsOf(upgraded, version)).toEqual(before);
      expect(upgraded.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(upgraded.pragma('foreign_key_check')).toEqual([]);
      upgraded.close();
    },
  );

  test('one step at a time gives the same schema as all at once', () => {
    const [slow, fast] = [new SqliteDatabase(':memory:'), new SqliteDatabase(':memory:')];
    for (let version = 1; version <= SCHEMA_VERSION; version++) migrate(slow, version);
    migrate(fast);
    expect(readSchema(slow)).toEqual(readSchema(fast));
    expect(readSchema(fast).size).toBeGreaterThan(10);
  });

  test('a migration that fails leaves the version before it, whole', () => {
    const database = new SqliteDatabase(':memory:');
    migrate(database, 1);
    database.exec('CREATE TABLE states (in_the_way TEXT)');
    const before = readSchema(database);
    expect(() => migrate(database)).toThrow(/states already exists/);
    expect(database.pragma('user_version', { simple: true })).toBe(1);
    expect(readSchema(database)).toEqual(before);
  });

  test('migrating again changes nothing', () => {
    const database = new SqliteDatabase(':memory:');
    migrate(database);
    const changes = () => database.prepare('SELECT total_changes()').pluck().get();
    const before = changes();
    migrate(database);
    expect(changes()).toBe(before);
  });

  test.each([0, 1])(
    'three processes that open one file of version %i at once all find it whole',
    async (version) => {
      const file = join(temporaryFolder(), 'keepsake.db');
      if (version > 0) {
        const database = new SqliteDatabase(file);
        migrate(database, version);
        database.close();
      }
      const processes = Array.from({ length: 3 }, () => otherProcess('open', file));
      await Promise.all(processes.map((process) => process.line((line) => line === 'ready')));
      const answers = await Promise.all(processes.map((process) => process.ask('go')));

      expect(answers).toEqual(processes.map(() => String(SCHEMA_VERSION)));
      expect(await Promise.all(processes.map((process) => process.ended))).toEqual(processes.map(() => 0));
      expect(read(file, (database) => readSchema(database))).toEqual(expectedSchema(SCHEMA_VERSION));
      const storage = await open(file);
      await add(storage, 'first');
      expect((await storage.records.get('mem_first', ADMIN, NOW))?.version).toBe(1);
      expect(
        troubles(await storage.maintenance.examine({ fix: false, now: NOW })).filter(
          (finding) => !finding.check.startsWith('files.'),
        ),
      ).toEqual([]);
    },
  );
});
