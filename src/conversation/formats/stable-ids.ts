/** Ids derived from content, so that importing the same file twice creates the same messages. */
import { createHash } from 'node:crypto';
import { createIds } from '../../kernel/ids.ts';
import { type ConversationPlace, isOwnConversation, threadKey } from '../../kernel/threads.ts';

export type StableIds = (at: number, what: string) => string;

/** Equal messages are told apart by their number, not their place, so that a file may grow or lose others. */
export function stableIds(conversationId: string): StableIds {
  const seen = new Map<string, number>();
  return (at, what) => {
    const digest = createHash('sha256').update(`${conversationId}\n${at}\n${what}`).digest('hex');
    const count = seen.get(digest) ?? 0;
    seen.set(digest, count + 1);
    const chance = createHash('sha256').update(`${digest} ${count}`).digest();
    return createIds({ now: () => Math.max(0, at) }, (length) => chance.subarray(0, length))('msg');
  };
}

/** A UUID of version 8, the one for ids of one's own making. */
export function stableUuid(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The ids of messages that come from elsewhere, which each conversation has for itself. */
export function importIds(place: ConversationPlace): StableIds {
  const { agent } = place;
  return stableIds(`import for ${isOwnConversation(place) ? agent : `${agent} ${threadKey(place)}`}`);
}
