/** Search returns what answers, says how much more there is, and nothing where nothing answers: everywhere alike. */
import { describe, expect, it } from 'vitest';
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

describe.each([
  ['static', { precision: 0.86, recall: 0.93, vain: 0.06 }],
  ['none', { precision: 0.78, recall: 0.91, vain: 0.12 }],
] as const)('of 197 questions to small stores, with the model %s,', (embedding, least) => {
  it('what is returned answers, answers are returned, and what has no answer gets none', async () => {
    const outcomes = await askSmallStores(embedding);
    expect(outcomes.length).toBeGreaterThanOrEqual(150);
    const { precision, recall, answeredInVain } = summarise(outcomes);
    expect(precision).toBeGreaterThanOrEqual(least.precision);
    expect(recall).toBeGreaterThanOrEqual(least.recall);
    expect(answeredInVain).toBeLessThanOrEqual(least.vain);
  });
});

it.each([
  ['names', 104, 'static', { precision: 0.95, recall: 0.97, vain: 0.22 }],
  ['names', 104, 'none', { precision: 0.86, recall: 0.95, vain: 0.21 }],
  ['unseen', 62, 'static', { precision: 0.92, recall: 0.96, vain: 0.4 }],
  ['unseen', 62, 'none', { precision: 0.92, recall: 0.93, vain: 0.34 }],
  ['fresh', 30, 'static', { precision: 0.87, recall: 0.93, vain: 0.54 }],
  ['fresh', 30, 'none', { precision: 0.77, recall: 0.93, vain: 0.67 }],
] as const)(
  'of the questions in %s (%i) about whom and which one is meant, with the model %s, few are answered with another one',
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
