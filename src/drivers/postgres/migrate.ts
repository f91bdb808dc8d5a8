/** Brings the schema up to date, one process at a time; refuses what it must not touch. */
import { createHash } from 'node:crypto';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Database } from './database.ts';
import { hasCode } from './errors.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Session } from './session.ts';
import { sql } from './sql.ts';
import { SCHEMA_VERSION } from './write-transaction.ts';

/** "KEEP" in ASCII, so that the lock is nobody else's. */
export const LOCK_SPACE = 0x4b454550;
const MIGRATING = 1;
/** Older ones give too few results when vectors are filtered. */
const OLDEST_PGVECTOR = [0, 8] as const;
const UNDEFINED_TABLE = '42P01';
const INSTALL =
  'Install it on the machine of the server, for example with "apt install postgresql-17-pgvector"';

export const hashOf = (migration: string): string => createHash('sha256').update(migration).digest('hex');

interface Applied {
  readonly version: number;
  readonly hash: string;
}

/** How many steps the schema has taken, and how many there are; refuses a schema that is not ours. */
export async function progressOf(database: Database): Promise<{ done: number; all: number }> {
  const applied = await appliedTo(database);
  refuseStrange(applied, database.address.place);
  return { done: applied.length, all: MIGRATIONS.length };
}

/** What is there is looked at first: usually nothing has to be done, and that costs one question. */
export async function migrate(database: Database): Promise<void> {
  const { done, all } = await progressOf(database);
  if (done === all) return;
  await applyMigrations(database, MIGRATIONS);
}

/** Takes the steps that are missing, and tells older processes that write: they refuse to continue. */
export async function applyMigrations(database: Database, migrations: readonly string[]): Promise<void> {
  await database.transaction((session) => apply(session, database.address, migrations));
}

async function appliedTo(database: Database): Promise<readonly Applied[]> {
  try {
    return await database.rows<Applied>(sql`SELECT version, hash FROM migrations ORDER BY version`);
  } catch (error) {
    if (error instanceof Error && hasCode(error.cause, UNDEFINED_TABLE)) return [];
    throw error;
  }
}

async function apply(
  session: Session,
  { schema, place }: Database['address'],
  migrations: readonly string[],
): Promise<void> {
  await session.command('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
  await session.run(sql`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${MIGRATING})`);
  await createSchema(session, schema, place);
  await requireVectors(session, place);
  await session.command(
    `CREATE TABLE IF NOT EXISTS ${schema}.migrations (version INTEGER PRIMARY KEY, hash TEXT NOT NULL)`,
  );
  const applied = await session.rows<Applied>(sql`SELECT version, hash FROM migrations ORDER BY version`);
  refuseStrange(applied, place);
  for (const [i, migration] of migrations.entries()) {
    if (i < applied.length) continue;
    await session.command(migration);
    await session.run(sql`INSERT INTO migrations VALUES (${i + 1}, ${hashOf(migration)})`);
  }
  const version = JSON.stringify({ [SCHEMA_VERSION]: migrations.length });
  await session.run(sql`UPDATE lanes SET counters = (counters::jsonb || ${version}::jsonb)::text`);
}

async function createSchema(session: Session, schema: string, place: string): Promise<void> {
  const found = await session.row<{ tables: number; ours: boolean }>(
    sql`SELECT (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'r') AS tables,
          to_regclass(${`${schema}.migrations`}) IS NOT NULL AS ours
        FROM pg_namespace n WHERE n.nspname = ${schema}`,
  );
  if (found === undefined) await session.command(`CREATE SCHEMA ${schema}`);
  else if (!found.ours && found.tables > 0) {
    throw new KeepsakeError(
      'CONFLICT',
      `The schema "${schema}" of Postgres at ${place} holds tables of another program.`,
      { hint: 'Name another one in the URL, for example ?schema=keepsake.' },
    );
  }
}

async function requireVectors(session: Session, place: string): Promise<void> {
  const available = await session.row<{ installed: string | null }>(
    sql`SELECT installed_version AS installed FROM pg_available_extensions WHERE name = 'vector'`,
  );
  if (available === undefined) {
    throw new KeepsakeError('UNSUPPORTED', `Postgres at ${place} has no pgvector.`, { hint: `${INSTALL}.` });
  }
  if (available.installed === null) await session.command('CREATE EXTENSION vector SCHEMA public');
  const version = available.installed ?? (await installedVersion(session));
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST_PGVECTOR[0] || minor >= OLDEST_PGVECTOR[1]) return;
  throw new KeepsakeError(
    'UNSUPPORTED',
    `Postgres at ${place} has pgvector ${version}; 0.8 or newer is needed.`,
    {
      hint: `${INSTALL}, then run "ALTER EXTENSION vector UPDATE" in the database.`,
    },
  );
}

async function installedVersion(session: Session): Promise<string> {
  const row = await session.row<{ version: string }>(
    sql`SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`,
  );
  return row!.version;
}

/** A database that a newer Keepsake, or another one, has written to is left alone. */
function refuseStrange(applied: readonly Applied[], place: string): void {
  if (applied.length > MIGRATIONS.length) {
    throw new KeepsakeError(
      'TOO_NEW',
      `Postgres at ${place} was written by a newer Keepsake (schema ${applied.length}; this one knows up to ${MIGRATIONS.length}). It was not touched.`,
      {
        hint: 'Install a newer version of Keepsake for this program.',
        details: { found: applied.length, known: MIGRATIONS.length },
      },
    );
  }
  const strange = applied.find(({ version, hash }) => hash !== hashOf(MIGRATIONS[version - 1]!));
  if (strange === undefined) return;
  throw new KeepsakeError(
    'CONFLICT',
    `Step ${strange.version} of the schema of Postgres at ${place} is not the one that this Keepsake knows.`,
    { hint: 'Use the version of Keepsake that made it, or another schema: ?schema=….' },
  );
}
