/** The mark of an unfinished migration in its target, and what it prevents. */
import { KeepsakeError } from './errors.ts';

/** Key of a note in the journal of the target. */
export const MIGRATION_MARK = 'keepsake-migrate';

export const HOW_TO_GO_ON =
  'Run the same "keepsake migrate" again to finish it, or add --abandon to put the unfinished copy aside.';

export const unfinishedText = (from: unknown): string =>
  `A migration from ${String(from)} into this storage was not finished, so it holds only a part.`;

interface Opened {
  readonly log: { journal(key: string): Promise<{ readonly [key: string]: unknown } | null> };
  close(): Promise<void>;
}

/** Closes and refuses half a copy: whoever wrote into it would make it differ from its source. */
export async function refuseUnfinished<Storage extends Opened>(storage: Storage): Promise<Storage> {
  try {
    const mark = await storage.log.journal(MIGRATION_MARK);
    if (mark === null) return storage;
    throw new KeepsakeError('CONFLICT', unfinishedText(mark.from), { hint: HOW_TO_GO_ON });
  } catch (error) {
    await storage.close();
    throw error;
  }
}
