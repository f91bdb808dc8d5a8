/** Search returns what answers, says how much more there is, and nothing where nothing answers: everywhere alike. */
import { expect, it } from 'vitest';
import { askSmallStores, summarise } from '../../bench/precision/small-stores.ts';
import { memoryContext } from '../../src/context/index.ts';
import { testAgent } from '../fixtures/workspace.ts';

const FACTS = [
  'Lena is allergic to peanuts',
  "Lena's birthday is on 14 May",
  'Paul plays the violin on Wednesdays',
  'The dentist is Dr. Weber',
  'Order 4711 was delivered with two broken lamps',
  'The app uses Redis as its cache',
  'Pull requests need two approvals',
  'The staging server restarts every night',
];

async function filled() {
  const agent = testAgent();
  for (const content of FACTS) await agent.memory.add({ content });
  return agent;
}

const contents = (hits: readonly { content: string }[]): string[] => hits.map(({ content }) => content);

it.each([
  ['stores', 197, 'static', { precision: 0.89, recall: 0.94, vain: 0.08 }],
  ['stores', 197, 'none', { precision: 0.8, recall: 0.9, vain: 0.08 }],
  ['names', 104, 'static', { precision: 0.95, recall: 0.97, vain: 0.21 }],
  ['names', 104, 'none', { precision: 0.89, recall: 0.95, vain: 0.21 }],
  ['unseen', 62, 'static', { precision: 0.92, recall: 0.96, vain: 0.17 }],
  ['unseen', 62, 'none', { precision: 0.92, recall: 0.93, vain: 0.07 }],
  ['fresh', 30, 'static', { precision: 0.87, recall: 0.99, vain: 0.47 }],
  ['fresh', 30, 'none', { precision: 0.84, recall: 0.79, vain: 0.67 }],
  ['development', 159, 'static', { precision: 0.78, recall: 0.88, vain: 0.35 }],
  ['development', 159, 'none', { precision: 0.67, recall: 0.85, vain: 0.33 }],
] as const)(
  'of the questions in %s (%i), with the model %s, what is returned answers, and what has no answer seldom gets one',
  async (group, count, embedding, least) => {
    const outcomes = await askSmallStores(embedding, { group });
    expect(outcomes.length).toBe(count);
    const { precision, recall, answeredInVain } = summarise(outcomes);
    expect(precision).toBeGreaterThanOrEqual(least.precision);
    expect(recall).toBeGreaterThanOrEqual(least.recall);
    expect(answeredInVain).toBeLessThanOrEqual(least.vain);
  },
);

it.each([
  ['When is Paul’s birthday?', 'When is Lena’s birthday?', FACTS[1]],
  ["paul's birthday", "lena's birthday", FACTS[1]],
  ['Paul’s birthday?', 'Lena’s birthday?', FACTS[1]],
  ['What is Paul allergic to?', 'What is Lena allergic to?', FACTS[0]],
  ['Which instrument does Lena play?', 'Which instrument does Paul play?', FACTS[2]],
])('what is known about one person does not answer %j about another one', async (question, about, fact) => {
  const { memory } = await filled();
  expect(contents(await memory.search(question))).not.toContain(fact);
  expect(contents(await memory.search(about))).toContain(fact);
});

it('a question about two things is answered by facts about each', async () => {
  const { memory } = await filled();
  const found = contents(await memory.search('birthday of Lena and violin on Wednesdays'));
  expect(found).toContain(FACTS[1]);
  expect(found).toContain(FACTS[2]);
});

it('one question has one answer; how many more there are is said, and all are returned on request', async () => {
  const { memory } = await filled();
  const question = 'What is Lena allergic to?';
  const hits = await memory.search(question);
  expect(contents(hits)).toEqual([FACTS[0]]);
  const all = await memory.search(question, { all: true });
  expect(all.length).toBe(hits.length + hits.more);
  expect(hits.more).toBeGreaterThan(0);
  expect(all.more).toBe(0);
  expect(contents(await memory.search(question, { minRelevance: 0 }))).toEqual(contents(all));
});

it.each([
  'When is Elena’s birthday?',
  'What is Pauline allergic to?',
  'What happened with order 4790?',
  'Does splitLines restart at night?',
  'What does Dr. Brandt do?',
  'Who is @ferreira?',
])('nobody else’s fact answers %j', async (question) => {
  const { memory } = await filled();
  expect(contents(await memory.search(question))).toEqual([]);
  expect((await memory.search(question, { all: true })).length).toBeGreaterThan(0);
});

it('recall, prompts and search take the same for answers', async () => {
  const { memory, client } = await filled();
  for (const task of ['What is Lena allergic to?', 'Who is the dentist?', 'When is Elena’s birthday?']) {
    const found = (await memory.search(task)).map(({ id }) => id);
    expect((await memory.recall(task)).relevant.map(({ id }) => id)).toEqual(found);
    const caller = { viewer: { agent: 'alice', role: 'worker' }, via: 'sdk' } as const;
    expect((await memoryContext(await client.open(), { task }, caller)).ids).toEqual(found);
  }
});

it.each([
  ['How many bosses are in biome two?', 'Biome three has four bosses', false],
  ['What is kept in room 12?', 'The hamster is kept in room twelve', true],
  ['Which PHP does version 2.4 of the theme need?', 'Version 2.5 of the theme needs PHP 8.3', false],
  ['When does Dr. Sato see patients?', 'Dr. Okafor sees patients on Mondays', false],
  ['Wer ist Frau Lindqvist?', 'Frau Petrescu ist die Leiterin des Lagers', false],
  ['What is the birthday of Lena?', 'Lena is allergic to peanuts', false],
  ['Who fixes the roof?', 'Karl, who lives next door, repairs the roof', true],
] as const)(
  'numbers, names behind titles and what is asked decide whether %j is answered by %j',
  async (question, fact, isAnswer) => {
    const { memory } = testAgent();
    for (const content of FACTS) if (content !== fact) await memory.add({ content });
    await memory.add({ content: fact });
    const found = contents(await memory.search(question));
    expect(found.includes(fact)).toBe(isAnswer);
  },
);
