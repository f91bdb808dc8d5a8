/** What is noted in the log before MEMORY.md is changed, so that a crash in between can be made good. */
import type { JsonObject } from '../kernel/json.ts';
import type { MessageDraft } from '../ports/log-store.ts';

/** Blocks were about to be added at `offset`. */
export interface AppendEntry {
  readonly op: 'append';
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** What stands between the end of the file and the first block. */
  readonly gap: string;
  /** The messages in the log that the blocks come from; none when this conversation is not logged. */
  readonly ids: readonly string[];
  readonly at: number;
}

/** The file was about to be archived and begun anew. */
export interface CompactEntry {
  readonly op: 'compact';
  /** Name of the archive. */
  readonly archive: string;
  readonly archiveHash: string;
  readonly oldHash: string;
  /** Id in the header of the new file: whoever finds it there knows that the change took place. */
  readonly conversationId: string;
  /** What the log gets once the file is in place; null when nothing is logged. */
  readonly summary: MessageDraft | null;
  readonly boundary: number;
}

export type JournalEntry = AppendEntry | CompactEntry;

export const toJournal = (entry: JournalEntry): JsonObject => entry as unknown as JsonObject;
export const fromJournal = (entry: JsonObject): JournalEntry => entry as unknown as JournalEntry;
