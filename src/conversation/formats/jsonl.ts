/** Conversations as JSON lines: the head first, then one message per line. */
import { escapeRareBreaks, parseJson } from './json.ts';
import { type ConversationSnapshot, plainHead, plainMessage } from './snapshot.ts';

export function encodeJsonLines(snapshot: ConversationSnapshot): string {
  const records = [plainHead(snapshot), ...snapshot.messages.map(plainMessage)];
  return records.map((record) => `${escapeRareBreaks(JSON.stringify(record))}\n`).join('');
}

/** Our own lines become a snapshot; the lines of others are a list of messages. */
export function parseJsonLines(text: string): unknown {
  const records: unknown[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    if (line.trim() !== '') records.push(parseJson(line, text, start));
    start += line.length + 1;
  }
  const [head, ...messages] = records;
  return isHead(head) ? { ...head, messages } : records;
}

export function isHead(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'keepsake' in value && !('messages' in value);
}
