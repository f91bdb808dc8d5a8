import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { examineSqlite } from '../../../../src/drivers/sqlite/index.ts';
import { examineDatabase } from '../../../../src/drivers/sqlite/maintenance/examine.ts';
import { SCHEMA_VERSION } from '../../../../src/drivers/sqlite/migrations/index.ts';
import { migrate } from '../../../../src/drivers/sqlite/open-database.ts';
import type { Finding } from '../../../../src/ports/maintenance.ts';
import {
  ADMIN,
  add,
  checksum,
  draft,
  fill,
  filledFile,
  hashOfFile,
  NOW,
  open,
  otherProcess,
  overwrite,
  pagesOf,
  read,
  tamper,
  temporaryFolder,
  troubles,
  wreckPage,
} from './maintenance-fixture.ts';

const examine = (file: string, fix: boolean, now = NOW): Promise<readonly Finding[]> =>
  examineSqlite({ file, fix, now, busyTimeoutMs: 2_000 });

/** Copies of damaged databases are kept after a repair, and said so. */
const withoutRescued = (findings: readonly Finding[]): Finding[] =>
  troubles(findings).filter((finding) => finding.check !== 'database.rescued');

const DROP_FROM_SCHEMA = (name: string): string => `DELETE FROM sqlite_schema WHERE name = '${name}'`;

/** Makes a row vanish from an index: it is left out by a condition, which is then taken away again. */
const LOSE_INDEX_ENTRY = [
  "UPDATE sqlite_schema SET sql = sql || ' WHERE rid <> 7' WHERE name = 'records_by_digest'",
  'PRAGMA writable_schema = RESET',
  'REINDEX records_by_digest',
  'PRAGMA writable_schema = ON',
  "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE rid <> 7', '') WHERE name = 'records_by_digest'",
];

interface Defect {
  readonly name: string;
  readonly check: string;
  readonly plant: (file: string) => void;
}

const sql =
  (...statements: string[]) =>
  (file: string): void =>
    tamper(file, ...statements);
const wreck =
  (name: string, leaf: number) =>
  (file: string): void =>
    wreckPage(file, pagesOf(file, name)[leaf]);

const refused = (reasons: string, releasedAt: string): string =>
  `INSERT INTO quarantine (id, digest, agent, at, last_at, times, via, verb, category, origin, reasons, input, content, released_at)
   VALUES ('qtn_1', x'01', 'Writer', 1, 1, 1, 'sdk', 'memory.add', 'fact', 'web', '${reasons}', '{}', 'x', ${releasedAt})`;

const MENDABLE: readonly Defect[] = [
  { name: 'a row that an index has lost', check: 'database.indexes', plant: sql(...LOSE_INDEX_ENTRY) },
  { name: 'garbage in a page of an index', check: 'database.indexes', plant: wreck('records_by_digest', 0) },
  {
    name: 'garbage in a page of a unique index',
    check: 'database.indexes',
    plant: wreck('sqlite_autoindex_records_1', 0),
  },
  { name: 'garbage in the text index', check: 'database.text-index', plant: wreck('records_text_data', 1) },
  {
    name: 'pages missing from the text index',
    check: 'database.text-index',
    plant: sql('DELETE FROM records_text_data WHERE id > 10'),
  },
  {
    name: 'garbage in the text index of the log',
    check: 'database.text-index',
    plant: wreck('messages_text_data', 0),
  },
  {
    name: 'a wrong list of free pages',
    check: 'database.free-list',
    plant: (file) => overwrite(file, 32, Buffer.from([0, 0, 0x27, 0x0f, 0, 0, 0, 3])),
  },
  { name: 'a missing index', check: 'schema.indexes', plant: sql('DROP INDEX records_by_agent') },
  { name: 'another missing index', check: 'schema.indexes', plant: sql('DROP INDEX record_keys_by_record') },
  {
    name: 'an index over the wrong column',
    check: 'schema.indexes',
    plant: sql('DROP INDEX records_by_digest', 'CREATE INDEX records_by_digest ON records (category)'),
  },
  {
    name: 'a journal mode without a log',
    check: 'database.journal',
    plant: sql('PRAGMA journal_mode = DELETE'),
  },
  {
    name: 'entries deleted from the text index',
    check: 'text.records',
    plant: sql("INSERT INTO records_text (records_text) VALUES ('delete-all')"),
  },
  {
    name: 'one entry missing from the text index',
    check: 'text.records',
    plant: sql('DELETE FROM records_text_docsize WHERE id = 5'),
  },
  {
    name: 'a word too many in the text index',
    check: 'text.records',
    plant: sql("INSERT INTO records_text (rowid, body, labels, silo) VALUES (5, 'ghost', '', '')"),
  },
  {
    name: 'an entry in a silo where it does not belong',
    check: 'text.records',
    plant: sql("INSERT INTO records_text (rowid, body, labels, silo) VALUES (5, '', '', 'swarm')"),
  },
  {
    name: 'an entry of no memory in the text index',
    check: 'text.records',
    plant: sql("INSERT INTO records_text (rowid, body, labels, silo) VALUES (99999, 'ghost', '', 'swarm')"),
  },
  {
    name: 'a text index of another analysis',
    check: 'text.analysis',
    plant: sql("UPDATE meta SET value = '0'"),
  },
  {
    name: 'messages missing from the text index',
    check: 'text.messages',
    plant: sql('DELETE FROM messages_text WHERE rowid < 5'),
  },
  {
    name: 'an entry of no message in the text index',
    check: 'text.messages',
    plant: sql("INSERT INTO messages_text (rowid, body, silo) VALUES (99999, 'ghost', '')"),
  },
  {
    name: 'a wrong counter of facts',
    check: 'agents.counters',
    plant: sql("UPDATE agents SET facts = 3 WHERE name = 'Writer'"),
  },
  {
    name: 'a fact that is not counted',
    check: 'records.counted',
    plant: sql("UPDATE records SET counted = 0 WHERE id = 'mem_2'"),
  },
  {
    name: 'a task result that is counted',
    check: 'records.counted',
    plant: sql("UPDATE records SET counted = 1 WHERE id = 'mem_task'"),
  },
  {
    name: 'a memory that holds although another took its place',
    check: 'records.superseded',
    plant: sql("UPDATE records SET superseded_by = 'mem_4' WHERE id = 'mem_2'"),
  },
  {
    name: 'a forgotten memory with its text',
    check: 'records.forgotten',
    plant: sql("UPDATE records SET content = 'A secret that must not stay.' WHERE id = 'mem_gone'"),
  },
  {
    name: 'a forgotten memory with its history',
    check: 'records.forgotten',
    plant: sql(
      "INSERT INTO record_versions SELECT rid, 1, 'added', 1790000000000, 'x', '{}' FROM records WHERE id = 'mem_gone'",
    ),
  },
  {
    name: 'tags that are no JSON',
    check: 'records.json',
    plant: sql("UPDATE records SET tags = 'animal' WHERE id = 'mem_2'"),
  },
  {
    name: 'tags that are no texts',
    check: 'records.json',
    plant: sql("UPDATE records SET tags = '[1]' WHERE id = 'mem_2'"),
  },
  {
    name: 'metadata that is no object',
    check: 'records.json',
    plant: sql("UPDATE records SET metadata = '[1' WHERE id = 'mem_2'"),
  },
  {
    name: 'an owner that nobody registered',
    check: 'agents.registered',
    plant: sql("DELETE FROM agents WHERE name = 'Writer'"),
  },
  {
    name: 'an agent filed under a wrong name',
    check: 'agents.names',
    plant: sql("UPDATE agents SET folded = 'Writer' WHERE name = 'Writer'"),
  },
  {
    name: 'a message that is no JSON',
    check: 'log.json',
    plant: sql("UPDATE messages SET content = 'Hello' WHERE seq = 3"),
  },
  {
    name: 'events that would get a number twice',
    check: 'log.sequence',
    plant: sql("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'events'"),
  },
  {
    name: 'an event that is no JSON',
    check: 'events.json',
    plant: sql("UPDATE events SET event = 'oops' WHERE seq = 2"),
  },
  {
    name: 'messages of runs that would get a number twice',
    check: 'log.sequence',
    plant: sql(
      "INSERT INTO run_messages (id, run, agent, role, at, passing, content) VALUES ('m', 'r', 'a', 'a', 1, 0, '1')",
      "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'run_messages'",
    ),
  },
  {
    name: 'a run that cannot be read',
    check: 'runs.json',
    plant: sql(
      "INSERT INTO runs VALUES ('run_x', 's', 't', 'x', 'lost', '[', '{', 1, NULL, 1, NULL, NULL, 1)",
    ),
  },
  {
    name: 'a message of a run that cannot be read',
    check: 'runs.messages',
    plant: sql(
      "INSERT INTO run_messages (id, run, agent, role, at, passing, content) VALUES ('m', 'r', 'a', 'a', 1, 0, 'oops')",
    ),
  },
  {
    name: 'a change of a state that cannot be read',
    check: 'state.changes',
    plant: sql("UPDATE state_changes SET value = '{'"),
  },
  {
    name: 'a state that its run left behind',
    check: 'state.leftovers',
    plant: sql(
      "INSERT INTO runs SELECT run, 's', 't', 'x', 'failed', '[]', '{}', 1, 2, 1, NULL, NULL, 1 FROM states",
    ),
  },
  {
    name: 'a refused write that cannot be read',
    check: 'quarantine.json',
    plant: sql(refused('no list', 'NULL')),
  },
  {
    name: 'a released write that still stands in the quarantine',
    check: 'quarantine.released',
    plant: sql(refused('[]', '1790000000000')),
  },
  { name: 'a database that others can read', check: 'files.modes', plant: (file) => chmodSync(file, 0o644) },
  {
    name: 'a folder that others can write to',
    check: 'files.folder',
    plant: (file) => chmodSync(join(file, '..'), 0o777),
  },
  {
    name: 'an unfinished copy',
    check: 'database.leftovers',
    plant: (file) => {
      const leftover = `${file}.0123456789ab.partial`;
      writeFileSync(leftover, 'half a copy');
      utimesSync(leftover, NOW / 1_000 - 7_200, NOW / 1_000 - 7_200);
    },
  },
];

const BEYOND_MENDING: readonly Defect[] = [
  {
    name: 'a text that changed behind our back',
    check: 'records.digest',
    plant: sql("UPDATE records SET content = 'Quite another text.' WHERE id = 'mem_4'"),
  },
  {
    name: 'a memory that left its silo behind our back',
    check: 'records.digest',
    // What is shared by hand is not counted; only the digest gives it away.
    plant: sql(
      "UPDATE agents SET facts = facts - (SELECT counted FROM records WHERE id = 'mem_4') WHERE name = (SELECT agent FROM records WHERE id = 'mem_4')",
      "UPDATE records SET scope = 'swarm', counted = 0 WHERE id = 'mem_4'",
    ),
  },
  {
    name: 'a confidence of 7',
    check: 'records.confidence',
    plant: sql("UPDATE records SET confidence = 7 WHERE id = 'mem_2'"),
  },
  {
    name: 'an expiry in seconds',
    check: 'records.times',
    plant: sql("UPDATE records SET expires_at = 1790000000 WHERE id = 'mem_task'"),
  },
  {
    name: 'a missing version',
    check: 'records.history',
    plant: sql('DELETE FROM record_versions WHERE version = 1'),
  },
  {
    name: 'a version from the future',
    check: 'records.history',
    plant: sql("UPDATE records SET version = 2 WHERE id = 'mem_1'"),
  },
  {
    name: 'a version of no memory',
    check: 'database.references',
    plant: sql("INSERT INTO record_versions VALUES (99999, 1, 'added', 1790000000000, 'x', '{}')"),
  },
  {
    name: 'two agents whose names differ by case',
    check: 'agents.names',
    plant: sql("INSERT INTO agents VALUES ('writer', 'other', 1790000000000, 0)"),
  },
  {
    name: 'a name that leaves the workspace',
    check: 'agents.names',
    plant: sql("INSERT INTO agents VALUES ('../evil', '../evil', 1790000000000, 0)"),
  },
  { name: 'a state that is no JSON', check: 'state.json', plant: sql("UPDATE states SET document = '{'") },
  {
    name: 'a column that we did not make',
    check: 'schema.tables',
    plant: sql('ALTER TABLE records ADD COLUMN mood TEXT'),
  },
  { name: 'a table that is gone', check: 'schema.tables', plant: sql('DROP TABLE states') },
  {
    name: 'a trigger that changes what we write',
    check: 'schema.extras',
    plant: sql('CREATE TRIGGER meddle AFTER INSERT ON records BEGIN UPDATE records SET confidence = 0; END'),
  },
  {
    name: 'a table of somebody else',
    check: 'schema.extras',
    plant: sql('CREATE TABLE recipes (name TEXT)'),
  },
  {
    name: 'a table that vanished from the schema',
    check: 'database.integrity',
    plant: sql(DROP_FROM_SCHEMA('states_by_lease'), DROP_FROM_SCHEMA('states')),
  },
];

describe('examine', () => {
  let pristine: string;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-pristine-'));
    pristine = await filledFile(folder, 60);
    return () => rmSync(folder, { recursive: true });
  });

  function copyOfPristine(): string {
    const folder = join(temporaryFolder(), 'data');
    mkdirSync(folder, { mode: 0o700 });
    const file = join(folder, 'keepsake.db');
    copyFileSync(pristine, file);
    chmodSync(file, 0o600);
    return file;
  }

  test('finds nothing where nothing is wrong, and changes nothing', async () => {
    const file = copyOfPristine();
    const bytes = hashOfFile(file);
    const findings = await examine(file, false);
    expect(troubles(findings)).toEqual([]);
    expect(new Set(findings.map((finding) => finding.check)).size).toBe(findings.length);
    expect(hashOfFile(file)).toBe(bytes);
    expect(troubles(await examine(file, true))).toEqual([]);
    expect(checksum(file)).toBe(checksum(pristine));
  });

  test('finds nothing wrong in an open database, while another process writes', async () => {
    const file = join(temporaryFolder(), 'keepsake.db');
    const storage = await open(file);
    await fill(storage);
    const writer = otherProcess('write', file, 'a');
    await writer.line((line) => line.startsWith('mem_'));
    for (let i = 0; i < 3; i++) {
      // A writer that never pauses may well grow the write-ahead log while the examination reads.
      const found = troubles(await storage.maintenance.examine({ fix: true, now: NOW }));
      expect(found.filter(({ check }) => check !== 'database.log')).toEqual([]);
    }
  });

  test.each(MENDABLE)(
    '$name: $check is found without a change, and mended on request',
    async ({ check, plant }) => {
      const file = copyOfPristine();
      plant(file);
      const bytes = hashOfFile(file);
      const mode = statSync(file).mode;

      const found = troubles(await examine(file, false));
      expect(found.map((finding) => finding.check)).toContain(check);
      const finding = found.find((candidate) => candidate.check === check)!;
      expect(finding).toMatchObject({ fixable: true, hint: expect.any(String) });
      expect(finding).not.toHaveProperty('fixed');
      expect(hashOfFile(file)).toBe(bytes);
      expect(statSync(file).mode).toBe(mode);

      const mended = await examine(file, true);
      expect(mended.find((candidate) => candidate.check === check)).toMatchObject({
        fixable: true,
        fixed: true,
      });
      expect(withoutRescued(await examine(file, false))).toEqual([]);
    },
  );

  test.each(BEYOND_MENDING)(
    '$name: $check is found, and left for a person to decide',
    async ({ check, plant }) => {
      const file = copyOfPristine();
      plant(file);
      const before = checksum(file);
      for (const fix of [false, true]) {
        const finding = troubles(await examine(file, fix)).find((candidate) => candidate.check === check);
        expect(finding).toMatchObject({ hint: expect.any(String), fixable: false });
        expect(finding).not.toHaveProperty('fixed');
      }
      expect(checksum(file)).toBe(before);
    },
  );

  test('a repair loses nothing: every row is there afterwards, and found', async () => {
    for (const { name, plant } of MENDABLE.slice(0, 7)) {
      const file = copyOfPristine();
      plant(file);
      await examine(file, true);
      expect(checksum(file), name).toBe(checksum(pristine));
      const storage = await open(file);
      const candidates = await storage.records.searchText({
        viewer: ADMIN,
        now: NOW,
        filter: {},
        terms: ['fox'],
        limit: 500,
      });
      expect(candidates, name).toHaveLength(59);
      expect(await storage.log.search({ terms: ['question'], limit: 100 }), name).toHaveLength(40);
      await storage.close();
    }
  });

  test('an index is rebuilt while another process has the database open', async () => {
    const file = copyOfPristine();
    wreckPage(file, pagesOf(file, 'records_by_digest')[0]!);
    const other = otherProcess('hold', file);
    await other.line((line) => line === 'ready');
    expect(await other.ask('count')).toBe('60');

    const mended = await examine(file, true);

    expect(mended.find((finding) => finding.check === 'database.indexes')).toMatchObject({ fixed: true });
    expect(await other.ask('add mem_afterwards')).toMatch(/^\d+$/);
    expect(await other.ask('count')).toBe('61');
    expect(troubles(await examine(file, false)).map((finding) => finding.check)).toEqual([
      'database.rescued',
    ]);
  });

  test('text that a forgotten memory left behind is gone from the file and its log after a fix', async () => {
    const file = copyOfPristine();
    tamper(file, "UPDATE records SET content = 'Zebrafinch-4711' WHERE id = 'mem_gone'");
    expect(readFileSync(file).includes('Zebrafinch-4711')).toBe(true);
    await examine(file, true);
    for (const name of readdirSync(join(file, '..'))) {
      const bytes = readFileSync(join(file, '..', name));
      expect(bytes.includes('Zebrafinch-4711'), name).toBe(false);
    }
  });

  test('unreadable tags are kept in the metadata', async () => {
    const file = copyOfPristine();
    tamper(file, "UPDATE records SET tags = 'animal, tag' WHERE id = 'mem_2'");
    await examine(file, true);
    const storage = await open(file);
    expect(await storage.records.get('mem_2', ADMIN, NOW)).toMatchObject({
      tags: [],
      metadata: { number: 2, unreadableTags: 'animal, tag' },
    });
  });

  test('a connection that lost its settings is found and set right', async () => {
    const file = copyOfPristine();
    const connection = new SqliteDatabase(file);
    connection.pragma('synchronous = NORMAL');
    const look = (fix: boolean) => examineDatabase({ file, fix, now: NOW, busyTimeoutMs: 1_000, connection });
    const named = (findings: readonly Finding[]) =>
      findings.find((finding) => finding.check === 'database.connection');
    expect(named(await look(false))).toMatchObject({ severity: 'problem', fixable: true });
    expect(connection.pragma('synchronous', { simple: true })).toBe(1);
    expect(named(await look(true))).toMatchObject({ fixed: true });
    expect(connection.pragma('synchronous', { simple: true })).toBe(2);
    connection.close();
  });

  test('a log that a reader keeps from being emptied is found, and emptied once the reader is gone', async () => {
    const file = copyOfPristine();
    const reader = new SqliteDatabase(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM records').get();
    const writer = new SqliteDatabase(file);
    writer.exec('CREATE TABLE big (bytes BLOB)');
    writer.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 66)
      INSERT INTO big SELECT zeroblob(1048576) FROM n; DROP TABLE big;`);
    const log = (findings: readonly Finding[]) =>
      findings.find((finding) => finding.check === 'database.log');
    expect(log(await examine(file, false))).toMatchObject({ severity: 'notice', fixable: true });
    expect(log(await examine(file, true))).toMatchObject({ fixed: false });
    reader.close();
    expect(log(await examine(file, true))).toMatchObject({ fixed: true });
    writer.close();
    expect(log(await examine(file, false))).toMatchObject({ severity: 'ok' });
  });

  test('an older schema is upgraded only on request', async () => {
    const file = join(temporaryFolder(), 'keepsake.db');
    const database = new SqliteDatabase(file);
    migrate(database, 2);
    database.close();
    chmodSync(file, 0o600);
    const version = () => read(file, (old) => old.pragma('user_version', { simple: true }));
    const found = await examine(file, false);
    expect(troubles(found).map((finding) => finding.check)).toEqual([
      'database.version',
      'database.journal',
      'database.content',
    ]);
    expect(version()).toBe(2);
    expect(troubles(await examine(file, true)).filter((finding) => finding.fixed !== true)).toEqual([]);
    expect(version()).toBe(SCHEMA_VERSION);
  });

  test('what a crash interrupted is undone only on request', async () => {
    const original = copyOfPristine();
    const connection = new SqliteDatabase(original);
    connection.pragma('journal_mode = DELETE');
    connection.pragma('cache_size = 1');
    connection.exec(`BEGIN; UPDATE records SET metadata = '{"half":"done"}'`);
    const folder = temporaryFolder();
    // By another process: in this one it would drop the locks.
    expect(spawnSync('cp', ['-p', original, `${original}-journal`, folder]).status).toBe(0);
    connection.exec('ROLLBACK');
    connection.close();
    const file = join(folder, 'keepsake.db');
    const bytes = hashOfFile(file);

    const found = await examine(file, false);
    expect(troubles(found)[0]).toMatchObject({
      check: 'database.recovery',
      severity: 'notice',
      fixable: true,
    });
    expect(hashOfFile(file)).toBe(bytes);
    const mended = troubles(await examine(file, true)).filter(
      (finding) => !finding.check.startsWith('files.'),
    );
    expect(mended).toMatchObject([{ check: 'database.recovery', fixed: true }]);
    expect(checksum(file)).toBe(checksum(pristine));
  });

  test('a database that is not there is no problem', async () => {
    const file = join(temporaryFolder(), 'keepsake.db');
    expect(troubles(await examine(file, true))).toMatchObject([
      { check: 'database.file', severity: 'notice' },
    ]);
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });

  test('a time that is wrong comes with a command that sets it right', async () => {
    const file = copyOfPristine();
    tamper(file, "UPDATE records SET expires_at = 1790000000 WHERE id = 'mem_task'");
    const finding = (await examine(file, false)).find(({ check }) => check === 'records.times');
    expect(finding?.hint).toContain('keepsake memory update <id> --expires-at <time>');
  });

  test('a folder that holds other things stays as open as it is', async () => {
    const file = copyOfPristine();
    writeFileSync(join(file, '..', 'notes.txt'), 'shared on purpose');
    chmodSync(join(file, '..'), 0o755);
    const findings = troubles(await examine(file, true));
    expect(findings).toMatchObject([{ check: 'files.folder', severity: 'notice', fixable: false }]);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o755);
  });

  test('a copy that is being written at this moment is not swept away', async () => {
    const file = copyOfPristine();
    const partial = `${file}.0123456789ab.partial`;
    writeFileSync(partial, 'half a copy');
    utimesSync(partial, NOW / 1_000 - 60, NOW / 1_000 - 60);
    expect(troubles(await examine(file, true))).toEqual([]);
    expect(statSync(partial).isFile()).toBe(true);
  });

  test('counts facts as the store does, after expiry, pruning, updates and undo', async () => {
    const file = join(temporaryFolder(), 'keepsake.db');
    const storage = await open(file);
    const context = { at: NOW, viewer: ADMIN, via: 'sdk' } as const;
    for (let i = 0; i < 8; i++) await add(storage, i, { expiresAt: i < 2 ? NOW + 10 : null });
    await storage.records.update('mem_3', { expiresAt: NOW - 5 }, { maxFacts: 100 }, context);
    await storage.records.revert('mem_3', 1, { maxFacts: 100 }, context);
    await storage.records.add(draft(9), { maxFacts: 4 }, { ...context, at: NOW + 20 });
    for (const now of [NOW + 20, NOW + 30]) {
      expect(troubles(await storage.maintenance.examine({ fix: false, now }))).toEqual([]);
    }
  });
});
