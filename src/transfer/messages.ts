/** Puts messages of another log into this one, with what was edited and deleted since they were said. */
import { contentText, type MessageContent } from '../conversation/index.ts';
import type { LogMessage, LogStore, MessageDraft, MessageEdit } from '../ports/log-store.ts';

export type CarriedMessage = Omit<LogMessage, 'seq'>;

/** The text of a deleted message is nowhere, and no search finds it. */
const textOf = ({ content, deletedAt }: CarriedMessage): string =>
  deletedAt === null ? contentText(content as MessageContent) : '';

export async function appendMessages(log: LogStore, messages: readonly CarriedMessage[]): Promise<void> {
  const drafts = messages.map((message): MessageDraft => {
    const { id, agent, thread, run, role, content, metadata, at } = message;
    return { id, agent, thread, run, role, content, metadata, at, text: textOf(message) };
  });
  await log.append(drafts);
  await repeatEdits(log, messages);
}

/** For messages that are in the log; doing it twice gives the same. */
export async function repeatEdits(log: LogStore, messages: readonly CarriedMessage[]): Promise<void> {
  const edits = messages.flatMap((message): MessageEdit[] => {
    const { id, content, editedAt, deletedAt } = message;
    return [
      ...(editedAt === null ? [] : [{ id, at: editedAt, content: content ?? '', text: textOf(message) }]),
      ...(deletedAt === null ? [] : [{ id, at: deletedAt, content: null, text: '' }]),
    ];
  });
  if (edits.length > 0) await log.edit(edits);
}
