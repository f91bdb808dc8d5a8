/**
 * What is found for fixed questions in a fixed memory, and with which numbers: whoever moves the code must not move them, and
 * whoever changes the ranking sees in the diff what it does (`vitest run -u` writes them again).
 */
import { describe, expect, it } from 'vitest';
import type { ClientOptions, MemoryHit } from '../../src/index.ts';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent } from '../fixtures/workspace.ts';
import { APART, MEMORIES, QUESTIONS } from './support/fixed-corpus.ts';

const round = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(6)));

async function filled(options: ClientOptions) {
  const { memory, clock, client } = testAgent(options);
  const ids: string[] = [];
  for (const given of MEMORIES) {
    // Sentences of one moment would be ordered by chance.
    clock.advance(APART);
    ids.push((await memory.add(given)).id);
  }
  for (const [place, times] of [
    [0, 3],
    [3, 1],
    [24, 12],
  ] as const) {
    for (let i = 0; i < times; i++) await memory.get(ids[place]!);
  }
  clock.advance(3 * DAY);
  const shown = (hits: readonly MemoryHit[]) =>
    hits.map(({ id, relevance, score, factors: { tokenBoost: _, ...factors } }) =>
      [
        ids.indexOf(id),
        round(relevance),
        round(score),
        ...Object.values(factors).map((factor) => round(factor)),
      ].join(' '),
    );
  return { memory, client, clock, ids, shown };
}

describe.each([
  ['words', { config: { models: { embedding: 'none' } } }],
  ['meaning', {}],
  ['classic', { config: { models: { embedding: 'none' }, ranking: { profile: 'classic' } } }],
] as [string, ClientOptions][])('by %s', (name, options) => {
  it('searches', async () => {
    const { memory, shown } = await filled(options);
    const found: Record<string, string[]> = {};
    for (const question of QUESTIONS) found[question] = shown(await memory.search(question));
    for (const question of ['violin', 'backup archive', 'Bergen', 'giraffes of the savanna']) {
      found[`all: ${question}`] = shown(await memory.search(question, { minRelevance: 0, limit: 8 }));
    }
    await expect(`${JSON.stringify(found, null, 1)}\n`).toMatchFileSnapshot(`pinned/search-${name}.txt`);
  });

  it('recalls, also with filters and at another time', async () => {
    const { memory, shown, clock, ids } = await filled(options);
    const then = clock.now() - 20 * DAY;
    const places = (records: readonly { id: string }[]) => records.map(({ id }) => ids.indexOf(id)).join(' ');
    const found: Record<string, unknown> = {};
    for (const question of ['backup archive', 'deploy on Friday', 'Where does Bob live?', 'tea']) {
      found[`then: ${question}`] = shown(await memory.search(question, { asOf: then }));
      found[`ops: ${question}`] = shown(await memory.search(question, { tags: ['ops'] }));
      const { standing, relevant } = await memory.recall(question, { maxChars: 400, limit: 5 });
      found[`recall: ${question}`] = [places(standing), shown(relevant)];
    }
    found.standing = {};
    for (const maxChars of [0, 24, 30, 54, 60, 92, 2_000]) {
      const { memories, leftOut } = await memory.standing({ maxChars });
      (found.standing as Record<string, unknown>)[maxChars] = [places(memories), leftOut];
    }
    await expect(`${JSON.stringify(found, null, 1)}\n`).toMatchFileSnapshot(`pinned/recall-${name}.txt`);
  });
});
