/** A passage in the middle of a long memory is found as if it stood alone. */
import { expect, it } from 'vitest';
import { testAgent } from '../fixtures/workspace.ts';

const filler = (characters: number): string =>
  'The committee read the minutes of its last meeting and went on to the next item. '
    .repeat(characters / 80)
    .slice(0, characters);
const PASSAGE = 'The spare key of the boathouse hangs behind the blue barometer.';

it.each([
  ['words only', 'none'],
  ['with meaning', 'static'],
])('a sentence in the middle of 400,000 characters is found, and named (%s)', async (_, embedding) => {
  const { memory } = testAgent({ config: { models: { embedding } } });
  const long = await memory.add({ content: `${filler(200_000)} ${PASSAGE} ${filler(200_000)}` });
  for (const content of [
    'The boathouse needs paint',
    'Keys are cut at the station',
    'A barometer falls before storms',
  ])
    await memory.add({ content });
  const hits = await memory.search('where is the spare key of the boathouse');
  const hit = hits.slice(0, 2).find(({ id }) => id === long.id);
  expect(hit!.relevance).toBeGreaterThan(0.5);
  const [, place] = /in the passage at character (\d+): "/.exec(hit!.explain)!;
  const passage = hit!.content.slice(Number(place) - 1, Number(place) - 1 + 1_500);
  expect(passage).toContain(PASSAGE);
});

it('the meaning of a passage counts, not that of all the text around it', async () => {
  const { memory } = testAgent();
  const long = await memory.add({
    content: `${filler(60_000)} The car would not start, its battery was flat. ${filler(60_000)}`,
  });
  const [hit] = await memory.search('car battery trouble');
  expect(hit!.id).toBe(long.id);
});
