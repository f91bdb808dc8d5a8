/** What appending, editing and deleting a message decides, without a database. */
import { expect, it } from 'vitest';
import { decideAppend, decideEdit } from '../../../src/conversation/rules/decide-message.ts';
import type { LogMessage } from '../../../src/ports/log-store.ts';

const DRAFT = {
  ...{ id: 'm1', agent: 'ada', thread: 'main', run: null, role: 'User', content: 'Hello', at: 1_000 },
  ...{ metadata: { tone: 'calm' }, text: 'Hello' },
};
const { text: _, ...said } = DRAFT;
const FOUND: LogMessage = { ...said, seq: 4, editedAt: null, deletedAt: null };

it('appends a message without its index text, neither edited nor deleted', () => {
  expect(decideAppend(null, DRAFT)).toEqual({
    added: { ...said, editedAt: null, deletedAt: null },
    text: 'Hello',
  });
});

it('leaves a message alone that has the id already, even when it says something else', () => {
  expect(decideAppend(FOUND, { ...DRAFT, content: 'Other', text: 'Other' })).toEqual({ kept: FOUND });
});

it('an edit replaces content and index text, and keeps metadata', () => {
  expect(decideEdit(FOUND, { id: 'm1', at: 2_000, content: ['Hi'], text: 'Hi' })).toEqual({
    message: { ...FOUND, content: ['Hi'], editedAt: 2_000 },
    text: 'Hi',
  });
});

it('a deletion keeps the place and nothing of what was said', () => {
  const edited = { ...FOUND, editedAt: 1_500 };
  expect(decideEdit(edited, { id: 'm1', at: 2_000, content: null, text: 'Hello' })).toEqual({
    message: { ...edited, content: null, metadata: {}, deletedAt: 2_000 },
    text: null,
  });
});

it('refuses to edit what does not exist', () => {
  expect(() => decideEdit(null, { id: 'm9', at: 2_000, content: 'Hi', text: 'Hi' })).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', message: 'There is no message m9 in the log.' }),
  );
});
