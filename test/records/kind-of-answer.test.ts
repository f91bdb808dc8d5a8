/** A question that asks when or how many is not answered by a fact without any time or number. */
import { expect, it } from 'vitest';
import { lacksKind } from '../../src/records/search/kind-of-answer.ts';
import { testAgent } from '../fixtures/workspace.ts';

it.each([
  ['When does the harbour office close?', 'The harbour office has green windows', true],
  ['When does the harbour office close?', 'The harbour office closes at noon', false],
  ['What time does the ferry leave?', 'The ferry leaves at 7:40', false],
  ['How many rowers are in the club?', 'The club owns a boathouse', true],
  ['How many rowers are in the club?', 'The club has twenty rowers', false],
  ['What is the phone number of the club?', 'The club has a phone in the kitchen', true],
  ['When I travel, where do I sleep?', 'The user sleeps in hostels', false],
  ['Where is the boathouse?', 'The boathouse stands by the lake', false],
  ['Wann schließt das Büro?', 'Das Büro hat grüne Fenster', false],
])('%j, %j: lacks the kind of answer: %s', (query, content, expected) => {
  expect(lacksKind(query, content)).toBe(expected);
});

it('search keeps silent where only the subject is the same', async () => {
  const { memory } = testAgent();
  for (const content of [
    'The Bergen office has green windows',
    'The Oslo office closes at 18:00',
    'The ferry to the island is red',
  ])
    await memory.add({ content });
  expect(await memory.search('When does the Bergen office close?')).toEqual([]);
  expect((await memory.search('When does the Oslo office close?')).map(({ content }) => content)).toEqual([
    'The Oslo office closes at 18:00',
  ]);
});
