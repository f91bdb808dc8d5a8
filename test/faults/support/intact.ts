/** Everything that must hold in a database whatever happened to its writers; returns what does not. */
import type { Database } from 'better-sqlite3';
import { SCHEMA_VERSION } from '../../../src/drivers/sqlite/migrations/index.ts';

/** Each query returns the rows that break the rule; the first column names the row. */
const RULES: readonly (readonly [what: string, sql: string])[] = [
  ['breaks a foreign key', 'SELECT "table" || rowid FROM pragma_foreign_key_check'],
  [
    'is not in the text index',
    'SELECT id FROM records WHERE forgotten_at IS NULL AND rid NOT IN (SELECT id FROM records_text_docsize)',
  ],
  [
    'is in the text index without a record',
    `SELECT id FROM records_text_docsize
     WHERE id NOT IN (SELECT rid FROM records WHERE forgotten_at IS NULL)`,
  ],
  [
    'counts its facts wrongly',
    `SELECT name FROM agents
     WHERE facts <> (SELECT count(*) FROM records r WHERE r.agent = agents.name AND counted = 1)`,
  ],
  [
    'was forgotten and still says something',
    `SELECT id FROM records WHERE forgotten_at IS NOT NULL AND (content <> '' OR tags <> '[]' OR metadata <> '{}'
     OR counted = 1 OR EXISTS (SELECT 1 FROM record_versions v WHERE v.rid = records.rid))`,
  ],
  [
    'has gaps in its history',
    `SELECT id FROM records WHERE forgotten_at IS NULL AND version - 1 <>
     (SELECT count(*) FROM record_versions v WHERE v.rid = records.rid AND v.version < records.version)`,
  ],
  [
    'has versions from the future',
    'SELECT id FROM records r WHERE EXISTS (SELECT 1 FROM record_versions v WHERE v.rid = r.rid AND v.version >= r.version)',
  ],
  [
    'has versions but not one event for each, in order',
    `SELECT id FROM records WHERE coalesce((SELECT group_concat(told.version, ' ' ORDER BY seq)
       FROM told WHERE type = 'memory.wrote' AND told.id = records.id), '') <>
     (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < records.version)
       SELECT group_concat(i, ' ' ORDER BY i) FROM n)`,
  ],
  [
    'was forgotten without exactly one event',
    `SELECT id FROM records WHERE (forgotten_at IS NOT NULL) <>
     (SELECT count(*) FROM told WHERE type = 'memory.forgotten' AND told.id = records.id)`,
  ],
  [
    'was pruned without an event',
    `SELECT id FROM records WHERE expiry_reason = 'maxEntries' AND NOT EXISTS
     (SELECT 1 FROM told WHERE type = 'memory.pruned' AND told.id = records.id)`,
  ],
  ['is an event about no record', 'SELECT seq FROM told WHERE id NOT IN (SELECT id FROM records)'],
  [
    'is an event beyond the counter, so that its number could be given twice',
    "SELECT seq FROM events WHERE seq > (SELECT seq FROM sqlite_sequence WHERE name = 'events')",
  ],
];

/** What the events say, with an index that the product has no use for. */
const TOLD = `CREATE TEMP TABLE told AS
  SELECT seq, type, event ->> 'id' AS id, event ->> 'version' AS version FROM main.events;
CREATE INDEX temp.told_by_id ON told (id, type)`;

/** Needs a connection that may write, because FTS5 checks itself by an INSERT; it changes nothing. */
export function damageOf(database: Database): string[] {
  const damage: string[] = [];
  const answer = database.pragma('integrity_check', { simple: true });
  if (answer !== 'ok') damage.push(`integrity_check: ${answer}`);
  const version = database.pragma('user_version', { simple: true });
  if (version !== SCHEMA_VERSION) return [...damage, `The schema has version ${version}.`];
  try {
    database.exec("INSERT INTO records_text (records_text) VALUES ('integrity-check')");
  } catch (error) {
    damage.push(`The text index is broken: ${error}`);
  }
  database.exec(TOLD);
  for (const [what, sql] of RULES) {
    const broken = database.prepare(sql).pluck().all();
    if (broken.length > 0) damage.push(`${broken.length} × ${broken[0]} ${what}`);
  }
  return damage;
}
