/** A question about the one who asks is answered by the user's own words first. */
import { expect, it } from 'vitest';
import { authorOf, isAboutOneself } from '../../src/records/search/author.ts';
import { testAgent } from '../fixtures/workspace.ts';

it.each([
  ['Which car do I drive?', true],
  ['what did we buy for my sister', true],
  ["When I'm in Rome, where do I sleep?", true],
  ['Which car does Anna drive?', false],
  ['What did you recommend to me?', false],
  ['Remind me of the name of the hotel in our previous chat', false],
  ['Who rules the US?', false],
])('%j is about oneself: %s', (query, expected) => {
  expect(isAboutOneself(query)).toBe(expected);
});

it('the author is known by the role or by the beginning of the line, else not', () => {
  const by = (content: string, metadata: { role?: string } = {}) => authorOf({ content, metadata });
  expect(by('I drive a Skoda', { role: 'user' })).toBe('user');
  expect(by('Nice', { role: 'Assistant' })).toBe('assistant');
  expect(by('user: I drive a Skoda')).toBe('user');
  expect(by('Anna: I drive a Skoda')).toBeUndefined();
  expect(by('I drive a Skoda')).toBeUndefined();
});

it('the words of the user come first where the question is about the user, and only there', async () => {
  const { memory } = testAgent();
  const assistant = 'The car insurance is cheaper by the year.';
  const user =
    'The car that stands outside needs another insurance, which costs too much, so it was not taken.';
  await memory.add({ content: user, thread: 't1', metadata: { role: 'user' } });
  await memory.add({ content: assistant, thread: 't2', metadata: { role: 'assistant' } });
  const find = async (query: string) => await memory.search(query, { all: true });
  const own = await find('What about my car insurance?');
  expect(own[0]).toMatchObject({ content: user, factors: { authorBoost: 1.5 } });
  expect(own[0]!.explain).toContain("× 1.50 for being the user's own words");
  const other = await find('What about the car insurance?');
  expect(other[0]).toMatchObject({ content: assistant, factors: { authorBoost: 1 } });
});
