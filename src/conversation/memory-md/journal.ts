/** What is noted in the log before MEMORY.md is changed, so that a crash in between can be made good. */
import type { JsonObject } from '../../kernel/json.ts';
import type { MessageDraft, MessageEdit } from '../../ports/log-store.ts';

/** Blocks were about to be added at `offset`. */
export interface AppendEntry {
  readonly op: 'append';
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** What stands between the end of the file and the first block. */
  readonly gap: string;
  /** The messages in the log that the blocks come from. */
  readonly ids: readonly string[];
  readonly at: number;
}

/** What the log gets once the file is in place. */
export interface LogChanges {
  readonly messages: readonly MessageDraft[];
  readonly edits: readonly MessageEdit[];
  /** The view of the thread begins after this seq; null leaves it as it is. */
  readonly boundary: number | null;
}

/** The file was about to be replaced, perhaps after it was archived. */
export interface ReplaceEntry {
  readonly op: 'replace';
  readonly oldHash: string;
  readonly newHash: string;
  /** Id in the header of the new file, unless the old one has it too: it outlives an edit by hand, a hash does not. */
  readonly conversationId: string | null;
  readonly archive: { readonly name: string; readonly hash: string } | null;
  readonly log: LogChanges;
}

export type JournalEntry = AppendEntry | ReplaceEntry;

export const toJournal = (entry: JournalEntry): JsonObject => entry as unknown as JsonObject;
export const fromJournal = (entry: JsonObject): JournalEntry => entry as unknown as JournalEntry;
