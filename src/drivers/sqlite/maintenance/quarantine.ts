/** A copy of a damaged database, put aside before anything else happens to it. The original is never touched. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { CopyReport } from '../../../ports/maintenance.ts';
import { copySnapshot } from './backup.ts';
import { copyInOtherProcess } from './other-process.ts';
import {
  createPrivateFile,
  exists,
  explain,
  partialName,
  place,
  realPath,
  removeDatabase,
  sha256Of,
  syncFile,
  timestamp,
} from './private-files.ts';
import { openSnapshot } from './snapshot.ts';

/** A busy original may change while it is copied; then the copy is made again. */
const ATTEMPTS = 5;
const BUSY_TIMEOUT_MS = 5_000;

export interface Quarantined extends CopyReport {
  /** `pages`: by the engine, twice, with equal results. `bytes`: by another process, and equal to the original. */
  readonly verified: 'pages' | 'bytes';
}

export async function quarantine(file: string, folder: string, now: number): Promise<Quarantined> {
  const original = await realPath(file);
  const target = await freeName(resolve(folder), 'keepsake-damaged', now);
  try {
    return (await copyByEngine(original, target)) ?? (await copyBytes(original, target));
  } catch (error) {
    throw explain(error, original);
  }
}

/** Byte for byte, with the write-ahead log, and without the engine: opening the file could empty the log. */
export async function setAside(file: string, folder: string, now: number): Promise<Quarantined> {
  const original = await realPath(file);
  return copyBytes(original, await freeName(resolve(folder), 'keepsake-damaged', now));
}

/** Undefined when the engine cannot read the file: then it holds no lock on it either, and bytes may be copied. */
async function copyByEngine(file: string, target: string): Promise<Quarantined | undefined> {
  const copies = [partialName(target), partialName(target)] as const;
  let snapshot: Database | undefined;
  try {
    snapshot = await openSnapshot(file, BUSY_TIMEOUT_MS);
    for (const copy of copies) {
      await createPrivateFile(copy);
      await copySnapshot(snapshot, copy);
    }
    const [sha256, again] = await Promise.all(copies.map(sha256Of));
    // The pages of a file in use cannot be compared with; two copies of one moment that agree say the same.
    if (sha256 === undefined || sha256 !== again) {
      throw new KeepsakeError('STORAGE_FAILED', `Two copies of ${file} differ.`, { hint: 'Check the disk.' });
    }
    await syncFile(copies[0]);
    await place(copies[0], target);
    return { file: target, bytes: (await stat(target)).size, sha256, verified: 'pages' };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'CORRUPT' || /^SQLITE_(CORRUPT|NOTADB)/.test(code ?? '')) return undefined;
    throw error;
  } finally {
    snapshot?.close();
    for (const copy of copies) await removeDatabase(copy);
  }
}

/** Takes the write-ahead log along: it may hold the only good copy of a page. */
async function copyBytes(file: string, target: string): Promise<Quarantined> {
  const partial = partialName(target);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await removeDatabase(partial);
      const sha256 = await copyInOtherProcess(file, partial);
      const hasLog = await exists(`${file}-wal`);
      const log = hasLog ? await copyInOtherProcess(`${file}-wal`, `${partial}-wal`) : sha256;
      if (sha256 === undefined || log === undefined) continue;
      await place(partial, target);
      if (hasLog) await place(`${partial}-wal`, `${target}-wal`);
      return { file: target, bytes: (await stat(target)).size, sha256, verified: 'bytes' };
    }
    throw new KeepsakeError('BUSY', `${file} changes too fast to be copied.`, {
      hint: 'Stop the other processes and try again.',
    });
  } finally {
    await removeDatabase(partial);
  }
}

export async function freeName(folder: string, stem: string, now: number): Promise<string> {
  for (let number = 1; ; number++) {
    const name = join(folder, `${stem}-${timestamp(now)}${number === 1 ? '' : `-${number}`}.db`);
    if (!(await exists(name))) return name;
  }
}
