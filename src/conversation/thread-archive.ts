/** Archived threads: still stored and found by search, but no longer among the active ones. */
import { type Caller, writingSpeaker } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { archiveKey, conversationOf, isOwnConversation, threadKey } from '../kernel/threads.ts';
import type { LogStore } from '../ports/log-store.ts';
import type { ConversationServices } from './verbs.ts';

/** Null while it is active. */
export async function archivedAt(log: LogStore, agent: string, key: string): Promise<number | null> {
  const note = (await log.journal(archiveKey(agent, key))) as { at?: number } | null;
  return note?.at ?? null;
}

/** A thread that gets a message later is active again only when somebody says so. */
export async function archiveThread(
  { storage, clock }: Pick<ConversationServices, 'storage' | 'clock'>,
  { archived }: { readonly archived: boolean },
  caller: Caller,
): Promise<{ readonly agent: string; readonly archivedAt: number | null }> {
  const agent = writingSpeaker(caller);
  const place = conversationOf(caller, agent);
  if (isOwnConversation(place)) {
    throw new KeepsakeError('INVALID_INPUT', `The conversation of ${agent} is always active.`, {
      hint: 'Name the thread to archive, for example with --thread, or agent.conversation("chat-7").log.archive().',
    });
  }
  const key = threadKey(place);
  const at = clock.now();
  const entry = archived ? { at } : null;
  await storage.log.append([], { journal: { key: archiveKey(agent, key), entry } });
  return { agent, archivedAt: archived ? at : null };
}

/** A thread exists once something was said in it; an entry about one that does not would outlive its user. */
export async function requireMessages(
  { storage: { log } }: Pick<ConversationServices, 'storage'>,
  caller: Caller,
): Promise<void> {
  const agent = writingSpeaker(caller);
  const place = conversationOf(caller, agent);
  if (isOwnConversation(place) || (await log.count({ agent, thread: threadKey(place) })) > 0) return;
  throw new KeepsakeError('NOT_FOUND', `${agent} has no messages in this conversation.`, {
    hint: 'Check the name of the thread, and whose it is; "keepsake log list" shows the threads.',
  });
}
