/** Prepares a backup for a restore: checks it, copies it, and upgrades its schema. */
import { stat } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { isSqliteError } from '../errors.ts';
import { areWordsStale, refreshWords } from '../fresh-words.ts';
import { SCHEMA_VERSION } from '../migrations/index.ts';
import { APPLICATION_ID, openDatabase } from '../open-database.ts';
import { copyPages } from './backup.ts';
import { missingTables } from './examine-schema.ts';
import { createPrivateFile, explain, partialName, removeDatabase } from './private-files.ts';
import { complaints, openSnapshot } from './snapshot.ts';

export interface Stage {
  readonly database: Database;
  readonly file: string;
  remove(): Promise<void>;
}

/** Beside the living database, so that it can take its place by a rename. */
export async function stageBackup(source: string, file: string, busyTimeoutMs: number): Promise<Stage> {
  await checkBackup(source, busyTimeoutMs);
  const staged = partialName(file);
  let database: Database | undefined;
  try {
    await createPrivateFile(staged);
    await copyPages({ file: source, target: staged, busyTimeoutMs });
    database = await openDatabase({ file: staged, busyTimeoutMs });
    const missing = missingTables(database);
    if (missing.length > 0) throw damaged(source, `tables are missing: ${missing.join(', ')}`);
    const opened = database;
    if (areWordsStale(opened)) opened.transaction(() => refreshWords(opened)).immediate();
    return {
      database,
      file: staged,
      remove: async () => {
        opened.close();
        await removeDatabase(staged);
      },
    };
  } catch (error) {
    database?.close();
    await removeDatabase(staged);
    throw explain(error, file);
  }
}

async function checkBackup(source: string, busyTimeoutMs: number): Promise<void> {
  let database: Database | undefined;
  try {
    if (!(await stat(source)).isFile()) {
      throw new KeepsakeError('INVALID_INPUT', `${source} is not a file.`, {
        hint: 'Name a file that "keepsake backup" wrote.',
      });
    }
    database = await openSnapshot(source, busyTimeoutMs);
    const application = database.pragma('application_id', { simple: true });
    const version = database.pragma('user_version', { simple: true }) as number;
    if (application !== APPLICATION_ID || version < 1) {
      throw new KeepsakeError('INVALID_INPUT', `${source} is not a backup of Keepsake.`, {
        hint: 'Name a file that "keepsake backup" wrote.',
      });
    }
    if (version > SCHEMA_VERSION) {
      throw new KeepsakeError(
        'TOO_NEW',
        `${source} was written by a newer Keepsake (schema ${version}; this one knows up to ${SCHEMA_VERSION}).`,
        {
          hint: 'Install a newer version of Keepsake for this program.',
          details: { found: version, known: SCHEMA_VERSION },
        },
      );
    }
    const [complaint] = complaints(database);
    if (complaint !== undefined) throw damaged(source, complaint);
  } catch (error) {
    if (isSqliteError(error) && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      throw damaged(source, error.message, error);
    throw explain(error, source);
  } finally {
    database?.close();
  }
}

function damaged(source: string, complaint: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError(
    'CORRUPT',
    `The backup ${source} is damaged (${complaint}); nothing was changed.`,
    {
      cause,
      hint: 'Choose another backup.',
    },
  );
}

/** A database in WAL mode cannot change its page size, so the newcomer does. */
export function matchPageSize(stage: Database, live: Database): void {
  const wanted = live.pragma('page_size', { simple: true });
  if (stage.pragma('page_size', { simple: true }) === wanted) return;
  stage.pragma('journal_mode = DELETE');
  stage.pragma(`page_size = ${wanted}`);
  stage.exec('VACUUM');
  stage.pragma('journal_mode = WAL');
}

/** Rows of the backup that are missing or other than they were, and not because somebody changed them since. */
const DIFFERENCES = `
SELECT (SELECT count(*) FROM staged.records s LEFT JOIN main.records r ON r.rid = s.rid
        WHERE r.id IS NOT s.id OR (r.version = s.version AND r.forgotten_at IS s.forgotten_at
          AND (r.content <> s.content OR r.tags <> s.tags OR r.metadata <> s.metadata)))
     + (SELECT count(*) FROM staged.messages s LEFT JOIN main.messages m ON m.seq = s.seq
        WHERE m.id IS NOT s.id OR (m.edited_at IS s.edited_at AND m.deleted_at IS s.deleted_at
          AND m.content <> s.content))
     + (SELECT count(*) FROM staged.events s LEFT JOIN main.events e ON e.seq = s.seq
        WHERE s.type = 'storage.restored' AND e.event IS NOT s.event)`;

/** Compares with the stage, through the engine; writers may be at work again already. */
export async function verifyRestored(file: string, staged: string, busyTimeoutMs: number): Promise<void> {
  const snapshot = await openSnapshot(file, busyTimeoutMs);
  try {
    // Attaching is not possible inside of a transaction.
    snapshot.exec('ROLLBACK');
    snapshot.prepare('ATTACH ? AS staged').run(staged);
    snapshot.exec('BEGIN');
    const differences = snapshot.prepare(DIFFERENCES).pluck().get() as number;
    const complaint =
      differences > 0 ? `${differences} rows differ from the backup` : complaints(snapshot)[0];
    if (complaint !== undefined) {
      throw new KeepsakeError('STORAGE_FAILED', `${file} was restored, but ${complaint}.`, {
        hint: 'Run "keepsake doctor"; the content before the restore was kept.',
      });
    }
  } finally {
    snapshot.close();
  }
}
