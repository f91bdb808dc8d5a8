/** The events of a conversation, stored under its agent and its run. */
import type { EventDraft } from '../kernel/events.ts';
import type { ConversationParts } from './conversation-options.ts';

export type ConversationEvent = EventDraft extends infer Draft
  ? Draft extends { type: `conversation.${string}` }
    ? Omit<Draft, 'at' | 'via' | 'agent' | 'session'>
    : never
  : never;

/** What happened must not be reported as failed because its event could not be stored. */
export async function emitEvent(
  event: ConversationEvent,
  { agent, run: session }: { readonly agent: string; readonly run: string },
  { clock, emit }: Pick<ConversationParts, 'clock' | 'emit'>,
): Promise<void> {
  await emit({ ...event, agent, session, via: 'system', at: clock.now() } as EventDraft).catch(() => {});
}
