/** Converts messages between the form that callers pass and the form that the log stores. */
import type { Clock } from '../../kernel/clock.ts';
import type { IdFactory } from '../../kernel/ids.ts';
import type { LogMessage, MessageDraft } from '../../ports/log-store.ts';
import type { AddOptions } from '../conversation-options.ts';
import { checkTime } from '../formats/timestamps.ts';
import { contentInput, metadataInput } from './content-input.ts';
import { type ConversationMessage, contentText, type MessageContent } from './message.ts';
import { roleName } from './roles.ts';

export interface Origin {
  readonly agent: string;
  readonly thread: string;
  readonly run: string;
}

export function createDraft(
  { agent, thread, run }: Origin,
  { ids, clock }: { readonly ids: IdFactory; readonly clock: Clock },
  role: string,
  given: MessageContent,
  options: AddOptions,
): MessageDraft {
  const content = contentInput(given);
  return {
    id: ids('msg'),
    agent,
    thread,
    run,
    role: roleName(role, agent),
    content,
    metadata: metadataInput(options.metadata),
    at: checkTime(options.at ?? clock.now(), 'at'),
    text: contentText(content),
  };
}

/** `seq` is its place in the log, if it has one. */
export function toMessage(draft: MessageDraft, seq: number | undefined): ConversationMessage {
  const { id, role, content, at, run, metadata } = draft;
  const message = { id, role, content: content as MessageContent, at, run, metadata };
  return seq === undefined ? message : { ...message, seq };
}

export function fromLog(message: LogMessage): ConversationMessage {
  const { id, role, content, at, run, metadata, seq } = message;
  return { id, role, content: content as MessageContent, at, run, metadata, seq };
}
