/** Checks the server and the tables; with `fix`, repairs what the tables derive from records. */
import { defined } from '../../kernel/defined.ts';
import { toKeepsakeError } from '../../kernel/errors.ts';
import { HOW_TO_GO_ON, MIGRATION_MARK, unfinishedText } from '../../kernel/unfinished-migration.ts';
import type { Finding } from '../../ports/maintenance.ts';
import { digestOf } from '../common/digest.ts';
import { vectorFinding } from '../common/vector-finding.ts';
import type { Database } from './database.ts';
import { type BloatOptions, examineBloat } from './examine-bloat.ts';
import { applyCheck } from './examine-check.ts';
import { examineSuperseded } from './examine-superseded.ts';
import { GroupWriter } from './group-writer.ts';
import { channelOf } from './listener.ts';
import { progressOf } from './migrate.ts';
import { isIndexStale, rebuildIndex } from './rebuild-index.ts';
import { sql } from './sql.ts';

interface ServerFacts {
  readonly version: string;
  readonly vectors: string | null;
  readonly synchronous: string;
  readonly fsync: string;
}

interface RecordFacts {
  readonly records: number;
  readonly messages: number;
  readonly unindexed: number;
  readonly miscounted: number;
  readonly unplaced: number;
}

export async function examine(
  database: Database,
  { fix, longTransactionMs }: { fix: boolean } & BloatOptions,
): Promise<Finding[]> {
  let findings: Finding[];
  try {
    findings = await examineServer(database);
  } catch (error) {
    const { message, hint } = toKeepsakeError(error);
    return [{ check: 'database.server', severity: 'problem', message, ...defined({ hint }) }];
  }
  const { done, all } = await progressOf(database);
  if (done < all) return [...findings, notYet(done)];
  findings.push({ check: 'database.version', severity: 'ok', message: 'The schema is up to date.' });
  findings.push(...(await examineMigration(database)), ...(await examineTables(database, fix)));
  return [...findings, await examineBloat(database, { longTransactionMs })];
}

function notYet(done: number): Finding {
  const message =
    done === 0
      ? 'Nothing here yet: the schema does not exist.'
      : 'The schema is of an older version, and is brought up to date when it is next opened.';
  return { check: 'database.version', severity: 'notice', message };
}

async function examineServer(database: Database): Promise<Finding[]> {
  const row = await database.row<ServerFacts>(
    sql`SELECT current_setting('server_version') AS version, current_setting('synchronous_commit') AS synchronous,
          current_setting('fsync') AS fsync,
          (SELECT installed_version FROM pg_available_extensions WHERE name = 'vector') AS vectors`,
  );
  const { version, vectors, synchronous, fsync } = row!;
  const { place, schema } = database.address;
  const isDurable = fsync === 'on' && synchronous !== 'off';
  const durable: Finding = isDurable
    ? {
        check: 'database.durability',
        severity: 'ok',
        message: 'What is acknowledged has reached the disk of the server.',
      }
    : {
        check: 'database.durability',
        severity: 'notice',
        message: `The server has fsync ${fsync} and synchronous_commit ${synchronous}: a crash can lose what was acknowledged.`,
        hint: 'Set both to "on" in postgresql.conf.',
      };
  return [
    {
      check: 'database.server',
      severity: 'ok',
      message: `PostgreSQL ${version} at ${place}, schema "${schema}", pgvector ${vectors ?? 'not installed yet'}.`,
    },
    durable,
  ];
}

/** A migration into it that was not finished. */
async function examineMigration(database: Database): Promise<Finding[]> {
  const row = await database.row<{ entry: string }>(
    sql`SELECT entry FROM journals WHERE key = ${digestOf(MIGRATION_MARK)}`,
  );
  if (row === undefined) return [];
  const { from } = JSON.parse(row.entry) as { from?: unknown };
  return [
    {
      check: 'database.migration',
      severity: 'problem',
      message: unfinishedText(from),
      hint: HOW_TO_GO_ON,
    },
  ];
}

async function factsOf(database: Database): Promise<RecordFacts> {
  const row = await database.row<RecordFacts>(
    sql`SELECT
          (SELECT count(*) FROM records) AS records,
          (SELECT count(*) FROM messages WHERE deleted_at IS NULL) AS messages,
          (SELECT count(*) FROM records r WHERE (r.forgotten_at IS NULL) <>
            EXISTS (SELECT 1 FROM record_words w WHERE w.rid = r.rid)) AS unindexed,
          (SELECT count(*) FROM
            (SELECT word, count(*) AS holders FROM record_words, unnest(words) AS word GROUP BY word) w
            FULL JOIN record_terms t ON t.term = w.word WHERE t.holders IS DISTINCT FROM w.holders) AS miscounted,
          (SELECT count(*) FROM records r WHERE r.forgotten_at IS NULL AND
            (EXISTS (SELECT 1 FROM record_vectors v WHERE v.rid = r.rid) =
             EXISTS (SELECT 1 FROM embedding_queue q WHERE q.rid = r.rid))) AS unplaced`,
  );
  return row!;
}

async function examineTables(database: Database, fix: boolean): Promise<Finding[]> {
  const facts = await factsOf(database);
  const isStale = await isIndexStale(database);
  const count: Finding = {
    check: 'database.content',
    severity: 'ok',
    message: `${facts.records} records and ${facts.messages} messages.`,
  };
  return [
    count,
    await examineSuperseded(database, fix),
    await examineWords(database, facts, isStale, fix),
    await examineQueue(database, facts, fix),
    await vectorFacts(database),
  ];
}

async function vectorFacts(database: Database): Promise<Finding> {
  const present = await database.row<{ model: string; dimensions: number }>(
    sql`SELECT m.id AS model, m.dimensions FROM record_vectors v JOIN embedding_models m ON m.key = v.model
        GROUP BY m.key ORDER BY count(*) DESC, m.key DESC LIMIT 1`,
  );
  const aside = await database.row<{ model: string; made: number }>(
    sql`SELECT m.id AS model, count(*)::int AS made FROM vectors_aside a JOIN embedding_models m ON m.key = a.model
        GROUP BY m.key ORDER BY made DESC LIMIT 1`,
  );
  const queue = await database.row<{ waiting: number }>(
    sql`SELECT count(*)::int AS waiting FROM embedding_queue`,
  );
  return vectorFinding({
    present: present ?? null,
    waiting: queue?.waiting ?? 0,
    aside: aside ?? null,
  });
}

function examineWords(
  database: Database,
  { unindexed, miscounted }: RecordFacts,
  isStale: boolean,
  fix: boolean,
): Promise<Finding> {
  return applyCheck(
    {
      check: 'database.words',
      fine: 'Every record is found by its words.',
      message: `${unindexed} records are indexed wrongly, and ${miscounted} words are counted wrongly.`,
      repair: async () => {
        const writer = new GroupWriter(database, 'memory', channelOf(database.address.schema));
        await rebuildIndex(writer);
        await writer.close();
      },
      isRepaired: async () => {
        const after = await factsOf(database);
        return after.unindexed === 0 && after.miscounted === 0;
      },
    },
    unindexed === 0 && miscounted === 0 && !isStale,
    fix,
  );
}

/** A record has a vector, or waits for one. */
function examineQueue(database: Database, { unplaced }: RecordFacts, fix: boolean): Promise<Finding> {
  return applyCheck(
    {
      check: 'database.vectors',
      fine: 'Every record has a vector or waits for one.',
      message: `${unplaced} records have no vector and do not wait for one, or both.`,
      repair: () =>
        database.transaction(async (session) => {
          await session.run(
            sql`DELETE FROM embedding_queue q WHERE EXISTS (SELECT 1 FROM record_vectors v WHERE v.rid = q.rid)`,
          );
          await session.run(
            sql`INSERT INTO embedding_queue SELECT rid FROM records r WHERE forgotten_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM record_vectors v WHERE v.rid = r.rid) ON CONFLICT DO NOTHING`,
          );
        }),
      isRepaired: async () => (await factsOf(database)).unplaced === 0,
    },
    unplaced === 0,
    fix,
  );
}
