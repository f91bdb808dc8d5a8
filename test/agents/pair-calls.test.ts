/** Conversations in which calls and answers are out of order, as models take them. */
import { expect, it } from 'vitest';
import { pairCalls } from '../../src/agents/pair-calls.ts';
import type { ChatMessage } from '../../src/ports/language-model.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const asked = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'toolCall', id, name: 'ping', arguments: {} })),
});
const answered = (text: string, ...ids: string[]): ChatMessage => ({
  role: 'tool',
  content: ids.map((id) => ({ type: 'toolResult', id, name: 'ping', result: text })),
});

it('leaves what is in order as it is', () => {
  const messages = [user('a'), asked('1', '2'), answered('x', '1', '2'), user('b')];
  expect(pairCalls(messages)).toEqual(messages);
});

it('puts an answer behind its call when somebody spoke in between', () => {
  expect(pairCalls([asked('1'), user('a'), answered('x', '1')])).toEqual([
    asked('1'),
    answered('x', '1'),
    user('a'),
  ]);
});

it('leaves out calls without an answer, but not what was said with them, and answers without a call', () => {
  const said: ChatMessage = {
    role: 'assistant',
    content: [
      { type: 'text', text: 'One moment.' },
      { type: 'toolCall', id: '1', name: 'ping', arguments: {} },
    ],
  };
  expect(pairCalls([answered('x', '0'), said, asked('2', '3'), answered('y', '2')])).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'One moment.' }] },
  ]);
});

it('tells calls apart that have the same id', () => {
  const messages = [asked('1'), answered('x', '1'), user('a'), asked('1'), answered('y', '1'), asked('1')];
  expect(pairCalls(messages)).toEqual(messages.slice(0, -1));
});
