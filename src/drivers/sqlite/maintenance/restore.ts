/** Restoring a backup: into the living database when the engine can still open it, else in its place. */

import { link, rename, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { defined } from '../../../kernel/defined.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { PreviousContent, RestoreReport } from '../../../ports/maintenance.ts';
import { isSqliteError } from '../errors.ts';
import { makeFolders } from '../folders.ts';
import { openDatabase } from '../open-database.ts';
import { forgetWitness } from '../witness.ts';
import { type ContentCounts, copyDatabase, countContent } from './backup.ts';
import type { RestoreSqliteOptions } from './options.ts';
import { hashInOtherProcess } from './other-process.ts';
import {
  exists,
  explain,
  place,
  realPath,
  refuseExisting,
  SIDE_FILES,
  sameFile,
  syncFile,
  syncFolder,
} from './private-files.ts';
import { freeName } from './quarantine.ts';
import { replaceContent, seal } from './replace.ts';
import { keepStreamName, noteRestore, readSequences, type Sequences } from './sequences.ts';
import { matchPageSize, type Stage, stageBackup, verifyRestored } from './stage.ts';

/** What a restore works with; all paths are absolute. */
interface Job extends RestoreSqliteOptions {
  readonly stage: Stage;
}

export async function restoreDatabase(options: RestoreSqliteOptions): Promise<RestoreReport> {
  const file = await realPath(options.file);
  const source = resolve(options.source);
  const keepAs = resolve(options.keepAs);
  await refuseExisting(keepAs);
  if (await sameFile(source, file)) {
    throw new KeepsakeError('INVALID_INPUT', `${source} is the database itself, not a backup of it.`, {
      hint: 'See "keepsake backup".',
    });
  }
  const stage = await stageBackup(source, file, options.busyTimeoutMs);
  const job: Job = { ...options, file, source, keepAs, stage };
  try {
    const backup = {
      file: source,
      bytes: (await stat(source)).size,
      sha256: await hashInOtherProcess(source),
    };
    const { counts, previous } = await restoreFrom(job);
    forgetWitness(file);
    return { ...backup, ...counts, ...defined({ previous }) };
  } catch (error) {
    throw explain(error, file);
  } finally {
    await stage.remove();
  }
}

interface Outcome {
  readonly counts: ContentCounts;
  readonly previous: PreviousContent | undefined;
}

async function restoreFrom(job: Job): Promise<Outcome> {
  if (!(await exists(job.file))) return takeEmptyPlace(job);
  let live: Database;
  try {
    live = await openDatabase(job);
  } catch (error) {
    if (isBeyondOpening(error)) return replaceDamaged(job);
    throw error;
  }
  try {
    return await restoreInto(live, job);
  } finally {
    live.close();
  }
}

/** Damaged, or with a schema that no migration can go on from. Not: too new, a stranger's, busy, not permitted. */
function isBeyondOpening(error: unknown): boolean {
  if (!KeepsakeError.is(error)) return false;
  const { code, cause } = error;
  return code === 'CORRUPT' || (code === 'INTERNAL' && isSqliteError(cause) && cause.code === 'SQLITE_ERROR');
}

async function restoreInto(live: Database, job: Job): Promise<Outcome> {
  const { stage, file, busyTimeoutMs } = job;
  let previous: PreviousContent | undefined;
  let counts: ContentCounts | undefined;
  matchPageSize(stage.database, live);
  const prepare = async (): Promise<void> => {
    // Nobody can write now: what was acknowledged before is in this copy, what comes after is written on top.
    const kept = await copyDatabase({ file, target: job.keepAs, busyTimeoutMs, keepDamaged: true });
    previous = { ...kept.report, intact: kept.damage.length === 0 };
    noteRestore(stage.database, readSequences(live), job);
    keepStreamName(stage.database, live);
    counts = countContent(stage.database);
  };
  await replaceContent({ stage: stage.database, file, busyTimeoutMs, prepare });
  await seal(live, busyTimeoutMs);
  await verifyRestored(file, stage.file, busyTimeoutMs);
  return { counts: counts!, previous };
}

/**
 * Moves a database aside that SQLite cannot open, and puts the backup in its place. Whoever still has the damaged file
 * open goes on with it under its new name.
 */
async function replaceDamaged(job: Job): Promise<Outcome> {
  const { file } = job;
  const sha256 = await hashInOtherProcess(file);
  const bytes = (await stat(file)).size;
  const aside = await setAside(file, job.keepAs, job.now);
  await moveSideFiles(file, aside);
  const counts = finishStage(job, 'unknown');
  await syncFile(job.stage.file);
  await rename(job.stage.file, file);
  await syncFolder(dirname(file));
  return { counts, previous: { file: aside, bytes, sha256, intact: false } };
}

/** Linked, not renamed: at no moment is there no database, which the next process would take for a new workspace. */
async function setAside(file: string, keepAs: string, now: number): Promise<string> {
  makeFolders(dirname(keepAs));
  try {
    await link(file, keepAs);
    return keepAs;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw error;
    // A link cannot lead to another disk; and some file systems have none.
    const beside = await freeName(dirname(file), 'keepsake-damaged', now);
    await (code === 'EXDEV' ? link(file, beside) : rename(file, beside));
    return beside;
  }
}

async function takeEmptyPlace(job: Job): Promise<Outcome> {
  await moveSideFiles(job.file, job.keepAs);
  const counts = finishStage(job, {});
  await syncFile(job.stage.file);
  await place(job.stage.file, job.file);
  return { counts, previous: undefined };
}

/** A log left behind by another database would be played into the backup. */
async function moveSideFiles(file: string, keepAs: string): Promise<void> {
  for (const side of SIDE_FILES) {
    if (!(await exists(`${file}${side}`))) continue;
    await refuseExisting(`${keepAs}${side}`);
    await rename(`${file}${side}`, `${keepAs}${side}`);
  }
}

function finishStage(job: Job, previous: Sequences | 'unknown'): ContentCounts {
  noteRestore(job.stage.database, previous, job);
  const counts = countContent(job.stage.database);
  // The last connection that closes puts everything into the one file.
  job.stage.database.close();
  return counts;
}
