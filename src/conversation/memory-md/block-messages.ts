/** Matches the blocks of MEMORY.md with the messages of the log that they come from. */
import type { LogMessage } from '../../ports/log-store.ts';
import type { ParsedBlock } from '../formats/memory-md.ts';
import { stableIds } from '../formats/stable-ids.ts';
import { type ConversationMessage, contentText, type MessageContent } from '../messages/message.ts';
import { fromLog } from '../messages/message-draft.ts';

/** Tells a message from another by what the file keeps of it. */
export function messageKey(message: {
  readonly role: string;
  readonly at: number;
  readonly text: string;
}): string {
  return `${message.role}\u0000${Math.floor(message.at / 1000)}\u0000${message.text}`;
}

export const keyOfLogged = (message: LogMessage): string =>
  messageKey({ ...message, text: contentText(message.content as MessageContent) });

/** How many of the blocks the log knows. */
export function countPaired(blocks: readonly ParsedBlock[], logged: readonly LogMessage[]): number {
  const known = new Set(logged.map(keyOfLogged));
  return blocks.filter((block) => known.has(messageKey(block))).length;
}

/** Blocks as messages. The file decides what was said; the log adds what it cannot hold: ids, runs, structured parts. */
export function pairWithLog(
  blocks: readonly ParsedBlock[],
  logged: readonly LogMessage[],
): ConversationMessage[] {
  const byKey = Map.groupBy(logged, keyOfLogged);
  const stableId = stableIds('MEMORY.md');
  return blocks
    .toReversed()
    .map((block): ConversationMessage => {
      const key = messageKey(block);
      const known = byKey.get(key)?.pop();
      if (known !== undefined) return fromLog(known);
      // The same at every start, as long as nobody changes the block.
      const id = stableId(block.at, key);
      return { id, role: block.role, content: block.text, at: block.at, run: null, metadata: {} };
    })
    .reverse();
}
