/** A remark that goes on with a conversation is about what was said last, where something was said twice. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent } from '../fixtures/workspace.ts';

const EARLIER = 'The plan for the garden party has 40 guests, music by the harbour band and food from Elena.';
const LATER = 'The plan for the garden party has 55 guests, music by the harbour band and food from Marco.';
const REMARK = 'That sounds good. The guests of the garden party get food and music, go on with the plan.';

async function party() {
  const agent = testAgent();
  // Not old: what is months old has lost its worth already.
  await agent.memory.add({ content: EARLIER });
  agent.clock.advance(DAY / 24);
  await agent.memory.add({ content: LATER });
  agent.clock.advance(DAY / 24);
  return agent.memory;
}

it('what was said again later stands before what was said first, and says why', async () => {
  const hits = await (await party()).search(REMARK, { all: true });
  expect(hits.map(({ content }) => content)).toEqual([LATER, EARLIER]);
  expect(hits.map(({ factors }) => factors.earlierDecay)).toEqual([1, 0.6]);
  expect(hits[1]!.explain).toContain('× 0.60 because it was said again later');
});

it.each([
  ['a question is about any time', 'Which music and which food does the garden party have?'],
  ['a remark that names a time', `${REMARK} It is about what was said yesterday.`],
])('%s: nothing decays', async (_, query) => {
  const hits = await (await party()).search(query, { all: true });
  expect(hits.map(({ factors }) => factors.earlierDecay)).toEqual([1, 1]);
});

it('short facts about different people do not say the same', async () => {
  const { memory, clock } = testAgent();
  await memory.add({ content: 'Anna likes green tea.' });
  clock.advance(DAY);
  await memory.add({ content: 'Tom likes green tea.' });
  const hits = await memory.search('Good. We both want some green tea now, let us make it.', { all: true });
  expect(hits.map(({ factors }) => factors.earlierDecay)).toEqual([1, 1]);
});
