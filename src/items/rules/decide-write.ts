/** Decides what one write does to the item that was found under its name. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { ErasedOwner, ItemOutcome, ItemWrite } from '../../ports/item-store.ts';

/** What a decision needs to know of a stored item. */
export interface FoundItem {
  readonly seq: number;
  readonly version: number;
}

export type NamedWrite = Exclude<ItemWrite, { op: 'clear' }>;

export type WritePlan =
  | { readonly does: 'insert' }
  | { readonly does: 'replace'; readonly seq: number; readonly version: number }
  | { readonly does: 'remove'; readonly seq: number }
  | { readonly does: 'nothing'; readonly outcome: ItemOutcome };

/** The number of an item is never used again, so the pair is not either. */
export const revisionOf = ({ seq, version }: FoundItem): string => `${seq}.${version}`;

export function decideWrite(found: FoundItem | undefined, write: NamedWrite): WritePlan {
  const revision = found === undefined ? null : revisionOf(found);
  if (write.ifRevision !== undefined && write.ifRevision !== revision) {
    throw new KeepsakeError('CONFLICT', `The item ${JSON.stringify(write.key)} is not as expected.`, {
      hint: 'Read it again and repeat the change.',
      details: { key: write.key, expected: write.ifRevision, found: revision },
    });
  }
  if (write.op === 'remove') {
    if (found !== undefined) return { does: 'remove', seq: found.seq };
    return { does: 'nothing', outcome: { outcome: 'absent', revision: null, changed: 0 } };
  }
  if (found === undefined) return { does: 'insert' };
  if (write.keep === true) return { does: 'nothing', outcome: { outcome: 'kept', revision, changed: 0 } };
  return { does: 'replace', seq: found.seq, version: found.version + 1 };
}

export const created = (seq: number): ItemOutcome => ({
  outcome: 'created',
  revision: revisionOf({ seq, version: 1 }),
  changed: 1,
});

export const replaced = (item: FoundItem): ItemOutcome => ({
  outcome: 'replaced',
  revision: revisionOf(item),
  changed: 1,
});

export const removed: ItemOutcome = { outcome: 'removed', revision: null, changed: 1 };

export const cleared = (changed: number): ItemOutcome => ({ outcome: 'cleared', revision: null, changed });

/** Refuses to erase what belongs to nobody in particular. */
export function requireOwner({ agent, user }: ErasedOwner): void {
  if (agent !== undefined || user !== undefined) return;
  throw new KeepsakeError('INVALID_INPUT', 'Erasing items needs an agent or a user.', {
    hint: 'Name the agent, the user, or both.',
  });
}
