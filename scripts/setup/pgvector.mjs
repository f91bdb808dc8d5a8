// Builds pgvector for the Postgres that tests start: Debian has no package of it for PostgreSQL 15, only its source.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, runStep, StepFailed, say } from './run.mjs';

const VERSION = '0.8.0';
const POSTGRES = '15';
const ARCHIVE = `pgvector_${VERSION}.orig.tar.gz`;
/** As Debian's own index of sources gives it. */
const SHA256 = '867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0';
/** Where a Debian archive keeps it. */
const PLACE = `pool/main/p/pgvector/${ARCHIVE}`;
const LONGEST_DOWNLOAD_MS = 30_000;
const FILES = ['vector.so', 'vector.control', `sql/vector--${VERSION}.sql`];
const BY_HAND = 'node scripts/setup/pgvector.mjs';

/** The server for tests finds the extension here; nothing is installed into the system. */
export const PGVECTOR_FOLDER = join(
  root,
  'node_modules/.cache/keepsake/pgvector',
  `${VERSION}-postgresql-${POSTGRES}-${process.arch}`,
);
export const POSTGRES_BIN = `/usr/lib/postgresql/${POSTGRES}/bin`;

/** Does nothing when it was built before, and when another database was named for the tests. */
export async function ensurePgvector() {
  if (process.env.DATABASE_URL || existsSync(PGVECTOR_FOLDER)) return;
  if (!existsSync(join(POSTGRES_BIN, 'pg_config'))) {
    throw new StepFailed(
      `${POSTGRES_BIN} has no PostgreSQL ${POSTGRES} to build pgvector for.`,
      `sudo apt-get install -y postgresql-${POSTGRES} postgresql-server-dev-${POSTGRES}, or set DATABASE_URL`,
    );
  }
  say(
    `Building pgvector ${VERSION} from Debian's source, for the tests of the Postgres driver: some 10 seconds.`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-pgvector-'));
  try {
    writeFileSync(join(folder, ARCHIVE), await download());
    build(folder);
    keep(join(folder, `pgvector-${VERSION}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function download() {
  const failures = [];
  for (const url of archives().map((archive) => new URL(PLACE, archive).href)) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(LONGEST_DOWNLOAD_MS) });
      if (!answer.ok) throw new Error(`it answers ${answer.status}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const found = createHash('sha256').update(bytes).digest('hex');
      if (found !== SHA256) throw new Error(`its SHA-256 is ${found}, not ${SHA256}`);
      return bytes;
    } catch (error) {
      failures.push(`${url}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new StepFailed(
    `The source of pgvector could not be fetched.\n${failures.join('\n') || 'apt-get knows no archive of Debian yet; "apt-get update" shows it one.'}`,
    `${BY_HAND}, or set DATABASE_URL to a Postgres that has pgvector`,
  );
}

/** The archives that this machine installs its packages from. */
function archives() {
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' });
  return [...new Set((stdout ?? '').split('\n').filter((line) => /^https?:/.test(line)))];
}

/** @param {string} folder */
function build(folder) {
  const failure = 'pgvector could not be built';
  const byHand = `sudo apt-get install -y build-essential postgresql-server-dev-${POSTGRES} && ${BY_HAND}`;
  /** @param {string} stderr */
  const explainOutput = (stderr) => stderr.split('\n').slice(-15).join('\n');
  const options = { failure, byHand, explainOutput };
  runStep('tar', ['-xzf', join(folder, ARCHIVE), '-C', folder], options);
  // Made for any processor of this kind, as Debian makes it, and without the bitcode that only a JIT compiler reads.
  const settings = ['OPTFLAGS=', 'with_llvm=no', `PG_CONFIG=${join(POSTGRES_BIN, 'pg_config')}`];
  const jobs = `--jobs=${availableParallelism()}`;
  runStep('make', ['--silent', jobs, '-C', join(folder, `pgvector-${VERSION}`), ...settings], options);
}

/** In one step, so that an interrupted build is never taken for a whole one. @param {string} built */
function keep(built) {
  mkdirSync(dirname(PGVECTOR_FOLDER), { recursive: true });
  const fresh = mkdtempSync(`${PGVECTOR_FOLDER}-`);
  for (const file of FILES) cpSync(join(built, file), join(fresh, file.replace('sql/', '')));
  renameSync(fresh, PGVECTOR_FOLDER);
}

if (process.argv[1] === import.meta.filename) await ensurePgvector();
