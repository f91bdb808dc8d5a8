/** Of the lines of a conversation, those come first that are likely to tell something. */
import { expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/kernel/record.ts';
import { speechBoosts } from '../../src/records/search/speech.ts';
import { testAgent } from '../fixtures/workspace.ts';

const lines = (...contents: string[]): MemoryRecord[] =>
  contents.map((content) => ({ content, metadata: {}, source: 'manual' }) as unknown as MemoryRecord);

it('a line gains by its length and by whom the question names, and loses by asking and by being about the other one', () => {
  const [named, other, asking, toTheOther, long] = speechBoosts(
    lines(
      'Anna: the boat is in the harbour again',
      'Tom: the boat is in the harbour again',
      'Tom: is the boat in the harbour again?',
      'Tom: your boat and you are in the harbour',
      'Tom: the boat is in the harbour again since the second of May, with a new sail and a new mast',
    ),
    'Where is the boat of Anna?',
  ) as [number, number, number, number, number];
  expect(named / other).toBeCloseTo(Math.exp(0.3), 12);
  expect(asking / other).toBeCloseTo(Math.exp(-0.1), 12);
  expect(toTheOther).toBeLessThan(other);
  expect(long).toBeGreaterThan(other);
});

it.each([
  ['facts', lines('The boat is red', 'Is the boat red?')],
  ['a list of labels', lines('Name: Anna', 'Town: Bergen', 'Boat: red')],
  ['notes of one kind', lines('Note: the boat is red', 'Note: it rains')],
  ['what user and assistant said', lines('user: my boat', 'assistant: a boat', 'user: it is red')],
])('%s are not lines of people who speak by turns', (_, records) => {
  expect(speechBoosts(records, 'Note the name of Anna')).toEqual(records.map(() => 1));
});

it('the line that tells comes before the line that asks, and says why', async () => {
  const { memory } = testAgent();
  const add = (content: string) => memory.add({ content, thread: 'call' });
  await add('Tom: Hello, what about the sailing course, do you like your sailing course?');
  await add('Anna: The sailing course begins in May, and I go there with my brother every week.');
  await add('Tom: And the weather is fine.');
  const [hit] = await memory.search('When does the sailing course of Anna begin?');
  expect(hit!.content).toMatch(/^Anna/);
  expect(hit!.factors.speechBoost).toBeGreaterThan(1);
  expect(hit!.explain).toContain('for who says it and how, as a line of a conversation');
});
