/** Conversations as JSON lines: the head first, then one message per line. */
import { escapeRareBreaks, parseJson } from './json.ts';
import { type ConversationSnapshot, plainHead, plainMessage } from './snapshot.ts';

export function encodeJsonLines(snapshot: ConversationSnapshot): string {
  const records = [plainHead(snapshot), ...snapshot.messages.map(plainMessage)];
  return records.map((record) => `${escapeRareBreaks(JSON.stringify(record))}\n`).join('');
}

/** Our own lines become a snapshot; the lines of others are a list of messages. */
export function parseJsonLines(text: string): unknown {
  const records = text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => parseJson(line, `Line ${number} is not valid JSON`));
  const [head, ...messages] = records;
  return isHead(head) ? { ...head, messages } : records;
}

export function isHead(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'keepsake' in value && !('messages' in value);
}
