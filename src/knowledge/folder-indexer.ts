/** Indexes files in parallel, and removes files from memory that were deleted from disk. */
import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileIndexer, IndexedFile, IndexTarget } from './file-indexer.ts';
import type { Skipped } from './files/walk.ts';
import type { KnownFile } from './known-files.ts';

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

export interface IndexOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface IndexReport {
  /** How many files memory holds as they are now; those that were skipped do not count. */
  readonly files: number;
  /** Chunks that were new, changed, and erased. */
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** What was left out, and why. */
  readonly skipped: readonly Skipped[];
}

/** So many files wait for the disk at once; their writes share commits. */
const AT_ONCE = 8;

export interface IndexJob {
  readonly targets: readonly IndexTarget[];
  readonly known: readonly KnownFile[];
  /** Files in memory that are gone from disk. */
  readonly gone: readonly KnownFile[];
  readonly skipped: readonly Skipped[];
}

export async function indexFiles(
  indexer: FileIndexer,
  { targets, known, gone, skipped }: IndexJob,
  caller: Caller,
  { signal, onProgress }: IndexOptions,
): Promise<IndexReport> {
  const byPath = new Map(known.map((file) => [file.path, file]));
  const results: IndexedFile[] = [];
  let done = 0;
  const waiting = targets.entries();
  const work = async (): Promise<void> => {
    for (const [index, target] of waiting) {
      checkAborted(signal);
      results[index] = await indexer.index(target, byPath.get(target.path), caller);
      onProgress?.({ done: ++done, total: targets.length });
    }
  };
  onProgress?.({ done: 0, total: targets.length });
  // All of them, so that nothing is still being written when the caller hears of a failure.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  checkAborted(signal);
  const removed = await indexer.removeAll(gone, caller);
  const sum = (count: (file: IndexedFile) => number): number =>
    results.reduce((total, file) => total + count(file), 0);
  return {
    files: results.filter(({ isIndexed }) => isIndexed).length,
    added: sum((file) => file.added),
    updated: sum((file) => file.updated),
    removed: removed + sum((file) => file.removed),
    skipped: [...skipped, ...results.flatMap((file) => file.skipped)],
  };
}

export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new KeepsakeError('ABORTED', 'Indexing was stopped before it finished.', {
    hint: 'Everything indexed so far is kept; run it again to continue.',
    cause: signal.reason,
  });
}

export function joinReports(reports: readonly IndexReport[]): IndexReport {
  const sum = (key: 'files' | 'added' | 'updated' | 'removed'): number =>
    reports.reduce((total, report) => total + report[key], 0);
  return {
    files: sum('files'),
    added: sum('added'),
    updated: sum('updated'),
    removed: sum('removed'),
    skipped: reports.flatMap((report) => report.skipped),
  };
}
