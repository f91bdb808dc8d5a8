/** Decides what appending, editing or deleting a message of the log writes; every engine applies the plan in its own transaction. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { LogMessage, MessageDraft, MessageEdit } from '../../ports/log-store.ts';

export type AppendPlan =
  | { readonly kept: LogMessage }
  /** The engine numbers it. */
  | { readonly added: Omit<LogMessage, 'seq'>; readonly text: string };

/** `found`: the message that has this id already, which is left as it is. */
export function decideAppend(found: LogMessage | null, { text, ...draft }: MessageDraft): AppendPlan {
  if (found !== null) return { kept: found };
  return { added: { ...draft, editedAt: null, deletedAt: null }, text };
}

export interface EditPlan {
  readonly message: LogMessage;
  /** The new text of the search index; null when the message leaves the index. */
  readonly text: string | null;
}

/** A message without content is deleted: it keeps its place in the log, and nothing of what it said. */
export function decideEdit(found: LogMessage | null, { id, at, content, text }: MessageEdit): EditPlan {
  if (found === null) {
    throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in the log.`, {
      hint: 'See "keepsake log get" for the ids.',
    });
  }
  return content === null
    ? { message: { ...found, content: null, metadata: {}, deletedAt: at }, text: null }
    : { message: { ...found, content, editedAt: at }, text };
}
