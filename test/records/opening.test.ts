/** A long text begins with what it is about, so that its first lines count twice. */
import { expect, it } from 'vitest';
import { testAgent } from '../fixtures/workspace.ts';

const FILLER = 'The committee read the minutes and went on to the next item of the list. '.repeat(12);
const TOLD = 'The boathouse got another roof of copper in spring.';

it.each(['none', 'static'])('what a text begins with counts for more (embedding: %s)', async (embedding) => {
  const { memory } = testAgent({ config: { models: { embedding } } });
  const begins = await memory.add({ content: `${TOLD} ${FILLER}` });
  const ends = await memory.add({ content: `${FILLER} ${TOLD}` });
  // What holds every word that anything holds is a complete answer, wherever it stands.
  await memory.add({ content: 'The harbour is old.' });
  const hits = await memory.search('another roof for the boathouse at the harbour', { all: true });
  const [first, second] = [begins, ends].map(({ id }) => hits.find((hit) => hit.id === id)!);
  expect(first!.factors.openingBoost).toBeGreaterThan(1);
  expect(second!.factors.openingBoost).toBeLessThan(1);
  expect(first!.score).toBeGreaterThan(second!.score);
  expect(first!.explain).toContain('for how much of the question its first lines hold');
});

it('short memories have no opening of their own', async () => {
  const { memory } = testAgent();
  for (const content of [TOLD, 'The boathouse is red.', 'Copper is dear.']) await memory.add({ content });
  for (const { factors } of await memory.search('roof of the boathouse', { all: true }))
    expect(factors.openingBoost).toBe(1);
});

it('the profile classic knows of none', async () => {
  const { memory } = testAgent({ config: { ranking: { profile: 'classic' } } });
  await memory.add({ content: `${TOLD} ${FILLER}` });
  await memory.add({ content: `${FILLER} ${TOLD}` });
  for (const { factors } of await memory.search('roof of the boathouse', { all: true }))
    expect(factors.openingBoost).toBe(1);
});
