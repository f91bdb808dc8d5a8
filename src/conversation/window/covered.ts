/** Messages that a summary represents although a message before them stays in view. */
import type { JsonObject } from '../../kernel/json.ts';
import { type ConversationMessage, isSummary } from '../messages/message.ts';

/**
 * A compaction in the middle of a run keeps the prompt and covers the steps that followed it. The log shows everything
 * from the prompt on, so the summary names the steps that it covers.
 */
export function summaryMetadata(
  history: readonly ConversationMessage[],
  staying: ReadonlySet<ConversationMessage>,
): JsonObject {
  const begin = history.findIndex((message) => staying.has(message));
  const covers = begin === -1 ? [] : history.slice(begin).filter((message) => !staying.has(message));
  return { summary: true, ...(covers.length === 0 ? {} : { covers: covers.map(({ id }) => id) }) };
}

const coversOf = ({ metadata }: ConversationMessage): readonly string[] =>
  Array.isArray(metadata.covers) ? (metadata.covers as string[]) : [];

/** The messages without those that a summary among them represents. */
export function withoutCovered(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const covered = new Set(messages.filter(isSummary).flatMap(coversOf));
  return messages.filter(({ id }) => !covered.has(id));
}
