/** Checks a left-over write-ahead log, because SQLite silently ignores everything after the first damaged frame. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { systemClock } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { readWitness } from './witness.ts';

/** Where a database says that it is read and written through a write-ahead log (2) or a journal (1). */
const [WRITES_WITH, READS_WITH] = [18, 19] as const;
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
const SMALLEST_PAGE = 512;

export interface LogDamage {
  /** Bytes of the log that can be read. */
  readonly intactBytes: number;
  /** Transactions behind the damage, which were acknowledged and would be lost. */
  readonly lostCommits: number;
}

/** The checksum of SQLite: two running sums over words, in the byte order that the magic number names. */
function checksum(view: DataView, start: number, end: number, little: boolean, sums: Uint32Array): void {
  let [a, b] = [sums[0]!, sums[1]!];
  for (let at = start; at < end; at += 8) {
    a = (a + view.getUint32(at, little) + b) | 0;
    b = (b + view.getUint32(at + 4, little) + a) | 0;
  }
  sums[0] = a;
  sums[1] = b;
}

function isWholeHeader(view: DataView): boolean {
  const sums = new Uint32Array(2);
  checksum(view, 0, 24, view.getUint32(0) === MAGIC, sums);
  return (
    (view.getUint32(0) & ~1) >>> 0 === MAGIC &&
    sums[0] === view.getUint32(24) &&
    sums[1] === view.getUint32(28)
  );
}

/**
 * Undefined for a log that is whole, or whose last transaction alone is broken: that one was never acknowledged, as
 * after a power failure. A broken frame with whole transactions of the same log behind it is damage.
 */
export function damageIn(log: Uint8Array): LogDamage | undefined {
  if (log.length < HEADER_BYTES + FRAME_HEADER_BYTES + SMALLEST_PAGE) return undefined;
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const little = view.getUint32(0) === MAGIC;
  const isHeader = isWholeHeader(view);
  const sums = Uint32Array.of(view.getUint32(24), view.getUint32(28));
  const frame = FRAME_HEADER_BYTES + (isHeader ? view.getUint32(8) : guessPageSize(view));
  const salts = isHeader
    ? ([view.getUint32(16), view.getUint32(20)] as const)
    : ([view.getUint32(40), view.getUint32(44)] as const);
  let isIntact = isHeader;
  let intactBytes = isHeader ? HEADER_BYTES : 0;
  let behind = 0;
  for (let at = HEADER_BYTES; at + frame <= log.length; at += frame) {
    const isOfThisLog = view.getUint32(at + 8) === salts[0] && view.getUint32(at + 12) === salts[1];
    if (isIntact) {
      checksum(view, at, at + 8, little, sums);
      checksum(view, at + FRAME_HEADER_BYTES, at + frame, little, sums);
      isIntact = isOfThisLog && sums[0] === view.getUint32(at + 16) && sums[1] === view.getUint32(at + 20);
      if (isIntact && view.getUint32(at + 4) > 0) intactBytes = at + frame;
    }
    // Frames of an earlier round of the same file have other salts.
    if (!isIntact && isOfThisLog && view.getUint32(at + 4) > 0) behind++;
  }
  // A header is on the disk before the first frame. The transaction that holds the broken frame may be a torn tail.
  const lostCommits = isHeader ? behind - 1 : behind;
  return lostCommits > 0 ? { intactBytes, lostCommits } : undefined;
}

/** Where the header is gone: all frames have the salts of the first. */
function guessPageSize(view: DataView): number {
  for (let size = SMALLEST_PAGE; size <= 65_536; size *= 2) {
    const next = HEADER_BYTES + FRAME_HEADER_BYTES + size;
    if (next + 16 > view.byteLength) break;
    if (view.getUint32(next + 8) === view.getUint32(40) && view.getUint32(next + 12) === view.getUint32(44))
      return size;
  }
  return view.byteLength;
}

/** SQLite holds no locks on the log itself, so reading it here drops none. */
export function readLog(file: string): Uint8Array {
  const log = `${file}-wal`;
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return new Uint8Array();
  const handle = openSync(log, 'r');
  try {
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, readSync(handle, bytes, 0, size, 0));
  } finally {
    closeSync(handle);
  }
}

/** Looked at twice: another process may begin the log again while it is read. */
export function logDamage(file: string): LogDamage | undefined {
  return damageIn(readLog(file)) === undefined ? undefined : damageIn(readLog(file));
}

/** A file that was made a moment ago is empty until its first transaction. */
const BEING_MADE_MS = 60_000;

/** Whether a database lost everything: an empty file that nobody is making right now, or one that has a log. */
export function isEmptied(file: string, now: number): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.size > 0) return false;
  return (
    readWitness(file) !== undefined ||
    now - stat.mtimeMs > BEING_MADE_MS ||
    (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  );
}

/** Before SQLite opens the file: it would empty a log that it cannot read, and the evidence with it. */
export function refuseDamage(file: string): void {
  if (isEmptied(file, systemClock.now())) throw emptied(file);
  const damage = logDamage(file);
  if (damage !== undefined) throw damagedLog(file, damage);
}

export const EMPTIED_HINT =
  'Run "keepsake restore <backup>" to bring a backup back. If the workspace is new, delete the empty file.';

function emptied(file: string): KeepsakeError {
  return new KeepsakeError(
    'CORRUPT',
    `The database ${file} is empty, although it was made before. It was not touched.`,
    {
      hint: EMPTIED_HINT,
    },
  );
}

export function describeLogDamage(file: string, { lostCommits }: LogDamage): string {
  const what = lostCommits === 1 ? '1 transaction' : `${lostCommits} transactions`;
  return `The write-ahead log ${file}-wal is damaged: ${what} behind the damage cannot be read.`;
}

function damagedLog(file: string, damage: LogDamage): KeepsakeError {
  return new KeepsakeError('CORRUPT', `${describeLogDamage(file, damage)} Nothing was touched.`, {
    hint: 'Run "keepsake doctor --fix" to keep a copy and continue with what is intact, or "keepsake restore <backup>".',
    details: { ...damage },
  });
}

export interface CommittedPages {
  /** The newest committed content of each page in the log, by its number. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
  readonly pageSize: number;
  /** Pages of the database after the last commit. */
  readonly pageCount: number;
}

/** The database as it is with these pages, readable without a log. */
export function withPages(database: Buffer, { pages, pageSize, pageCount }: CommittedPages): Buffer {
  const whole = pages.size === 0 ? database : Buffer.alloc(pageCount * pageSize);
  if (pages.size > 0) database.copy(whole);
  for (const [number, page] of pages) if (number <= pageCount) whole.set(page, (number - 1) * pageSize);
  if (whole.length > READS_WITH) whole[WRITES_WITH] = whole[READS_WITH] = 1;
  return whole;
}

/**
 * What is left of a damaged log: every frame whose content agrees with its checksum, also behind frames that do not. A page
 * of a broken frame stays as it was before, so tables may disagree: for a salvage that checks each row, not for use.
 */
export function readablePages(log: Uint8Array): CommittedPages {
  const pages = new Map<number, Uint8Array>();
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  if (log.length < HEADER_BYTES + FRAME_HEADER_BYTES + SMALLEST_PAGE)
    return { pages, pageSize: 0, pageCount: 0 };
  const isHeader = (view.getUint32(0) & ~1) >>> 0 === MAGIC && isPageSize(view.getUint32(8));
  const little = !isHeader || view.getUint32(0) === MAGIC;
  const pageSize = isHeader ? view.getUint32(8) : guessPageSize(view);
  const frame = FRAME_HEADER_BYTES + pageSize;
  const salts = saltsAt(view, isWholeHeader(view) ? 16 : HEADER_BYTES + 8);
  let pageCount = 0;
  let pending = new Map<number, Uint8Array>();
  for (let at = HEADER_BYTES; at + frame <= log.length; at += frame) {
    // Each checksum continues the one before it, which the frame before it states.
    const before = at === HEADER_BYTES ? 24 : at - frame + 16;
    const sums = Uint32Array.of(view.getUint32(before), view.getUint32(before + 4));
    checksum(view, at, at + 8, little, sums);
    checksum(view, at + FRAME_HEADER_BYTES, at + frame, little, sums);
    // Frames of an earlier round of the same file have other salts, and may be more than those of this round.
    const isOfThisLog = saltsAt(view, at + 8) === salts;
    if (!isOfThisLog || sums[0] !== view.getUint32(at + 16) || sums[1] !== view.getUint32(at + 20)) continue;
    pending.set(view.getUint32(at), log.subarray(at + FRAME_HEADER_BYTES, at + frame));
    const committed = view.getUint32(at + 4);
    if (committed === 0) continue;
    pageCount = committed;
    for (const [number, page] of pending) pages.set(number, page);
    pending = new Map();
  }
  return { pages, pageSize, pageCount };
}

const isPageSize = (size: number): boolean =>
  size >= SMALLEST_PAGE && size <= 65_536 && (size & (size - 1)) === 0;

const saltsAt = (view: DataView, at: number): string => `${view.getUint32(at)} ${view.getUint32(at + 4)}`;

/** What SQLite would read from a log that is whole or has a broken end. */
export function committedPages(log: Uint8Array): CommittedPages {
  const pages = new Map<number, Uint8Array>();
  const none = { pages, pageSize: 0, pageCount: 0 };
  if (log.length < HEADER_BYTES) return none;
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const little = view.getUint32(0) === MAGIC;
  const sums = new Uint32Array(2);
  checksum(view, 0, 24, little, sums);
  if (sums[0] !== view.getUint32(24) || sums[1] !== view.getUint32(28)) return none;
  const pageSize = view.getUint32(8);
  const frame = FRAME_HEADER_BYTES + pageSize;
  let pageCount = 0;
  let pending = new Map<number, Uint8Array>();
  for (let at = HEADER_BYTES; at + frame <= log.length; at += frame) {
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20))
      break;
    checksum(view, at, at + 8, little, sums);
    checksum(view, at + FRAME_HEADER_BYTES, at + frame, little, sums);
    if (sums[0] !== view.getUint32(at + 16) || sums[1] !== view.getUint32(at + 20)) break;
    pending.set(view.getUint32(at), log.subarray(at + FRAME_HEADER_BYTES, at + frame));
    const committed = view.getUint32(at + 4);
    if (committed === 0) continue;
    pageCount = committed;
    for (const [number, page] of pending) pages.set(number, page);
    pending = new Map();
  }
  return { pages, pageSize, pageCount };
}
