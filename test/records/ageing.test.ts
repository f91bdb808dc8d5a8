/** What was learned long ago is found among what is new, and what tells of a moment fades with it. */
import { expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent } from '../fixtures/workspace.ts';

const ANSWER = 'My sister Clara is allergic to peanuts';

/** A fact, three months, and a dozen fresh memories that share a word with the question. */
async function threeMonthsLater(options: ClientOptions = {}) {
  const agent = testAgent(options);
  await agent.memory.add({ content: ANSWER });
  agent.clock.advance(90 * DAY);
  for (const topic of [
    'train',
    'letter',
    'garden',
    'bill',
    'visit',
    'present',
    'call',
    'bicycle',
    'flat',
    'cat',
  ])
    await agent.memory.add({ content: `Talked with my sister about the ${topic}` });
  return agent.memory.search('what is my sister allergic to', { limit: 5 });
}

it('E-27 an old fact that answers stands before fresh noise', async () => {
  const [first] = await threeMonthsLater();
  expect(first).toMatchObject({ content: ANSWER, source: 'manual' });
  expect(first!.factors.recencyDecay).toBeCloseTo(0.85 + 0.15 * 2 ** (-90 / 14), 9);
});

it('E-27 for a remark that goes on with a conversation, what is new counts more than for a question', async () => {
  const { memory, clock } = testAgent();
  await memory.add({ content: 'The kitchen plan has an oak worktop and a gas cooker' });
  clock.advance(90 * DAY);
  await memory.add({ content: 'The kitchen plan has an oak worktop and a large window' });
  const decayOf = async (query: string) =>
    (await memory.search(query)).map((hit) => hit.factors.recencyDecay);
  const old = 2 ** (-90 / 14);
  expect(Math.min(...(await decayOf('Which worktop is in the kitchen plan?')))).toBeCloseTo(
    0.85 + 0.15 * old,
    9,
  );
  const remark = 'Fine, I like the kitchen plan. The oak worktop is what I wanted. Let us order it!';
  expect(Math.min(...(await decayOf(remark)))).toBeCloseTo(0.5 + 0.5 * old, 9);
});

it('E-23 E-24 in the profile classic everything halves every 14 days', async () => {
  const hits = await threeMonthsLater({ config: { ranking: { profile: 'classic' } } });
  expect(hits.map(({ content }) => content)).not.toContain(ANSWER);
  const { memory, clock } = testAgent({ config: { ranking: { profile: 'classic' } } });
  await memory.add({ content: ANSWER });
  clock.advance(28 * DAY);
  const [hit] = await memory.search('allergic sister');
  expect(hit!.factors.recencyDecay).toBeCloseTo(0.25, 9);
  expect(hit!.score).toBeCloseTo(hit!.relevance * 0.25, 9);
});

it('E-24 task results, summaries and notes halve in every profile', async () => {
  const { memory, clock } = testAgent({ config: { ttl: { task_completion: null } } });
  await memory.add({ content: 'Deployed the billing service', source: 'task_completion' });
  clock.advance(14 * DAY);
  const [hit] = await memory.search('billing service deployed');
  expect(hit!.factors.recencyDecay).toBeCloseTo(0.5, 9);
});
