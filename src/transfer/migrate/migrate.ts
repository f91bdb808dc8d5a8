/** Copies all durable data from one store to another, then compares both by counts and checksums. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { HOW_TO_GO_ON, MIGRATION_MARK as MARK } from '../../kernel/unfinished-migration.ts';
import type { Storage } from '../../ports/storage.ts';
import { requireCopies } from '../archive/write-archive.ts';
import { type Carried, carry } from './carry.ts';
import { differing, type Seals, sealsOf } from './seals.ts';

export type MigrateStage = 'carrying' | 'verifying';

export interface MigrateProgress {
  readonly stage: MigrateStage;
  readonly done: number;
  readonly total: number;
}

export interface MoveOptions {
  /** What the source is called, without passwords. */
  readonly from: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MigrateProgress) => void) | undefined;
}

export interface MoveReport {
  /** `same`: all of it was there already. */
  readonly outcome: 'moved' | 'same';
  readonly carried: Carried;
  /** The same on both sides. */
  readonly verified: Seals;
}

/**
 * What a target is like before anything is carried: `empty`, `unfinished` (an earlier migration of the same source was
 * interrupted), or `used` (it has content that no migration left there).
 */
export type TargetState = 'empty' | 'unfinished' | 'used';

export async function targetState(target: Storage, from: string): Promise<TargetState> {
  const mark = await target.log.journal(MARK);
  if (mark === null) return (await isEmpty(target)) ? 'empty' : 'used';
  if (mark.from === from) return 'unfinished';
  throw new KeepsakeError('CONFLICT', `The target holds part of another storage, ${String(mark.from)}.`, {
    hint: 'Finish that migration with the same --from, put what is there aside with --set-aside, or name an empty target.',
  });
}

export async function moveStorage(
  source: Storage,
  target: Storage,
  options: MoveOptions,
): Promise<MoveReport> {
  const { from } = options;
  const report = progressOf(options, await sizeOf(source));
  if ((await targetState(target, from)) === 'used') return compareOnly(source, target, report('verifying'));
  await target.log.append([], { journal: { key: MARK, entry: { from } } });
  const carrying = report('carrying');
  const carried = await carry(source, target, (_, count) => carrying(count));
  const verified = await verify(source, target, report('verifying'));
  await target.log.append([], { journal: { key: MARK, entry: null } });
  return { outcome: 'moved', carried, verified };
}

async function isEmpty(storage: Storage): Promise<boolean> {
  const [records, messages, refused, items, latest] = await Promise.all([
    requireCopies(storage).count(),
    storage.log.read({ includeDeleted: true, limit: 1 }),
    storage.quarantine.list({ states: ['waiting', 'released'], limit: 1 }),
    storage.items.copies({ after: 0, limit: 1 }),
    storage.events.latest(),
  ]);
  return [messages, refused, items].every(({ length }) => length === 0) && records === 0 && latest === 0;
}

async function compareOnly(
  source: Storage,
  target: Storage,
  onRead: (count: number) => void,
): Promise<MoveReport> {
  const [here, there] = [await sealsOf(source, onRead), await sealsOf(target, onRead)];
  const kinds = differing(here, there);
  const none = { added: 0, present: 0, replaced: 0 };
  const carried = {
    records: { ...none, present: here.records.count },
    messages: { ...none, present: here.messages.count },
  };
  if (kinds.length === 0) return { outcome: 'same', carried, verified: here };
  throw new KeepsakeError('CONFLICT', 'The target holds memories of its own, so nothing was carried.', {
    hint: 'Add --set-aside to keep what is there under another name and begin with an empty target, or name another one (for Postgres, another "?schema="). "keepsake export" and "keepsake import" join two memories.',
    details: { differing: kinds },
  });
}

async function verify(source: Storage, target: Storage, onRead: (count: number) => void): Promise<Seals> {
  const [here, there] = [await sealsOf(source, onRead), await sealsOf(target, onRead)];
  const kinds = differing(here, there);
  if (kinds.length === 0) return here;
  const told = kinds.map((kind) => `${kind} (${here[kind].count} and ${there[kind].count})`);
  throw new KeepsakeError('CONFLICT', `Source and target are not the same: ${told.join(', ')}.`, {
    hint: 'Another process wrote to one of them during the migration. Stop it and run the migration again; it copies what has changed.',
    details: { differing: kinds },
  });
}

/** Records, messages and events, about; each is read once to carry it, and twice to compare. */
async function sizeOf(storage: Storage): Promise<number> {
  const [records, messages, latest] = await Promise.all([
    requireCopies(storage).count(),
    storage.log.count({}),
    storage.events.latest(),
  ]);
  return records + messages + latest;
}

function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new KeepsakeError(
    'ABORTED',
    `The migration was stopped; nothing in the source has changed, and nothing is carried twice. ${HOW_TO_GO_ON}`,
  );
}

/** Stops, where that was asked for, after each page. */
function progressOf({ onProgress, signal }: MoveOptions, size: number) {
  return (stage: MigrateStage): ((count: number) => void) => {
    const total = stage === 'carrying' ? size : 2 * size;
    let done = 0;
    return (count) => {
      done += count;
      onProgress?.({ stage, done: Math.min(done, total), total });
      stopIf(signal);
    };
  };
}
