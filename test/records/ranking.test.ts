/** The order of hits: relevance × recency × access, each factor shown, each number configurable. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DAY, HOUR } from '../../src/kernel/clock.ts';
import type { MemoryRecord } from '../../src/kernel/record.ts';
import { accessBoost, rank, recencyDecay } from '../../src/records/ranker.ts';
import type { Judged } from '../../src/records/search/judgement.ts';
import { testAgent } from '../fixtures/workspace.ts';

const CLASSIC = {
  profile: 'classic' as const,
  recencyHalfLifeDays: 14,
  accessBoostMax: 1.5,
  accessRecencyHours: 48,
};
const NOW = 1_000 * DAY;

describe('recency', () => {
  it.each([
    [0, 1],
    [14, 0.5],
    [28, 0.25],
    [7, Math.SQRT1_2],
    [140, 2 ** -10],
  ])('E-24 after %i days the factor is %d', (days, factor) => {
    expect(recencyDecay(NOW - days * DAY, NOW, 14)).toBeCloseTo(factor, 12);
  });

  it('is never more than 1, even for a record from the future', () => {
    expect(recencyDecay(NOW + DAY, NOW, 14)).toBe(1);
  });
});

describe('access', () => {
  const boost = (accessCount: number, hoursAgo: number | null) =>
    accessBoost(
      { accessCount, lastAccessedAt: hoursAgo === null ? null : NOW - hoursAgo * HOUR },
      NOW,
      CLASSIC,
    );

  it.each([
    [0, null, 1],
    [1, 0, 1.1],
    [3, 1, 1.3],
    [5, 1, 1.5],
    [500, 1, 1.5],
  ])('E-25 E-35 %i accesses, the last %s hours ago: %d', (count, hours, factor) => {
    expect(boost(count, hours)).toBeCloseTo(factor, 12);
  });

  it('E-36 counts fully within 48 hours and fades afterwards', () => {
    expect(boost(5, 48)).toBe(1.5);
    expect(boost(5, 49)).toBeLessThan(1.5);
    expect(boost(5, 96)).toBeCloseTo(1.25, 12);
    expect(boost(5, 48_000)).toBeGreaterThan(1);
  });
});

describe('rank', () => {
  const record = (id: string, updatedAt: number, accessCount = 0): MemoryRecord =>
    ({
      ...{ id, updatedAt, accessCount, lastAccessedAt: accessCount === 0 ? null : NOW },
      ...{ category: 'fact', origin: 'user', content: 'something', metadata: {} },
    }) as MemoryRecord;
  const judged = (of: MemoryRecord, relevance: number) =>
    ({
      record: of,
      relevance,
      coverage: 0.5,
      similarity: 0.25,
      semantic: 0.125,
      context: 0,
      opening: 1,
      speech: 1,
    }) as Judged;
  const order = (found: Judged[], profile: 'classic' | 'steady' = 'classic') =>
    rank(found, { now: NOW, isRemark: false, isAboutOneself: false }, { ...CLASSIC, profile }).map(
      (hit) => hit.record.id,
    );

  it('E-23 multiplies the three factors and shows them', () => {
    const [hit] = rank(
      [judged(record('a', NOW - 14 * DAY, 5), 0.8)],
      { now: NOW, isRemark: false, isAboutOneself: false },
      CLASSIC,
    );
    expect(hit!.factors).toEqual({
      relevance: 0.8,
      coverage: 0.5,
      similarity: 0.25,
      semantic: 0.125,
      context: 0,
      recencyDecay: 0.5,
      accessBoost: 1.5,
      orderBoost: 1,
      authorBoost: 1,
      openingBoost: 1,
      speechBoost: 1,
      tokenBoost: 1,
      earlierDecay: 1,
    });
    expect(hit!.score).toBeCloseTo(0.8 * 0.5 * 1.5, 12);
    expect(hit!.relevance).toBe(0.8);
  });

  it('E-27 lets an older but strongly similar record surface', () => {
    const old = judged(record('old', NOW - 14 * DAY), 0.9);
    const fresh = judged(record('fresh', NOW), 0.4);
    expect(order([fresh, old])).toEqual(['old', 'fresh']);
  });

  it('lets facts keep their worth in the profile steady, while what is bound to expire ages', () => {
    const old = { ...record('old', NOW - 28 * DAY), source: 'manual' as const };
    const note = { ...record('note', NOW - 28 * DAY), source: 'file_index' as const };
    const fresh = { ...record('fresh', NOW), source: 'manual' as const };
    const found = [judged(old, 0.8), judged(note, 0.9), judged(fresh, 0.5)];
    expect(order(found, 'steady')).toEqual(['old', 'fresh', 'note']);
    expect(order(found)).toEqual(['fresh', 'note', 'old']);
    const inTheEnd = (isRemark: boolean) =>
      rank(
        [judged(old, 1)],
        { now: NOW + 10_000 * DAY, isRemark, isAboutOneself: false },
        { ...CLASSIC, profile: 'steady' },
      )[0]!.factors;
    expect(inTheEnd(false).recencyDecay).toBeCloseTo(0.85, 6);
    expect(inTheEnd(true).recencyDecay).toBeCloseTo(0.5, 6);
  });

  it('puts an order before a fact that fits a little better, though not in the profile classic', () => {
    const fact = judged(record('fact', NOW), 0.5);
    const order1 = judged({ ...record('order', NOW), content: 'Always answer in metric units' }, 0.4);
    const hearsay = judged({ ...record('page', NOW), content: 'Always buy here', origin: 'web' }, 0.45);
    expect(order([fact, order1, hearsay], 'steady')).toEqual(['order', 'fact', 'page']);
    expect(order([fact, order1, hearsay])).toEqual(['fact', 'page', 'order']);
  });

  it('breaks ties by the newer, then by the greater id, whatever order it was given', () => {
    const equal = ['a', 'b', 'c'].map((id) => judged(record(id, NOW), 0.5));
    expect(order(equal)).toEqual(['c', 'b', 'a']);
    expect(order(equal.toReversed())).toEqual(['c', 'b', 'a']);
  });
});

/** Two short texts never mean quite the same, so equal relevance is a matter of words. */
const WORDS_ONLY = { config: { models: { embedding: 'none' } } };

const AGEING = { config: { ...WORDS_ONLY.config, ranking: { profile: 'classic' as const } } };

describe('through the client', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('E-29 opening a record counts, searching and listing do not', async () => {
    const { memory, clock } = testAgent(WORDS_ONLY);
    const { id } = await memory.add({ content: 'quokka' });
    await memory.search('quokka');
    await memory.list();
    await memory.history(id);
    clock.advance(5);
    expect(await memory.get(id)).toMatchObject({ accessCount: 1, lastAccessedAt: clock.now() });
    expect(await memory.get(id)).toMatchObject({ accessCount: 2 });
    expect((await memory.list())[0]).toMatchObject({ accessCount: 2, version: 1, injectedCount: 0 });
  });

  it('E-23 E-24 E-25 an opened record rises, an old one sinks', async () => {
    const { memory, clock } = testAgent(AGEING);
    const first = await memory.add({ content: 'the quokka sleeps' });
    const second = await memory.add({ content: 'the quokka wakes' });
    expect((await memory.search('quokka')).map((hit) => hit.id)).toEqual([second.id, first.id]);
    for (let i = 0; i < 5; i++) await memory.get(first.id);
    const hits = await memory.search('quokka');
    expect(hits.map((hit) => hit.id)).toEqual([first.id, second.id]);
    expect(hits[0]!.factors.accessBoost).toBe(1.5);
    clock.advance(14 * DAY);
    for (const hit of await memory.search('quokka')) {
      expect(hit.factors.recencyDecay).toBeCloseTo(0.5, 12);
      expect(hit.score).toBeCloseTo(hit.relevance * hit.factors.recencyDecay * hit.factors.accessBoost, 12);
    }
  });

  it('E-34 E-35 E-36 E-37 the numbers can be set in the environment', async () => {
    vi.stubEnv('MEMORY_RECENCY_HALF_LIFE_DAYS', '1');
    vi.stubEnv('MEMORY_ACCESS_BOOST_MAX', '3');
    vi.stubEnv('MEMORY_ACCESS_RECENCY_HOURS', '1');
    vi.stubEnv('MEMORY_CANDIDATE_MULTIPLIER', '7');
    const { memory, clock, client } = testAgent(AGEING);
    expect((await client.open()).config.ranking).toMatchObject({
      recencyHalfLifeDays: 1,
      accessBoostMax: 3,
      accessRecencyHours: 1,
      candidateMultiplier: 7,
    });
    const { id } = await memory.add({ content: 'quokka' });
    for (let i = 0; i < 20; i++) await memory.get(id);
    expect((await memory.search('quokka'))[0]!.factors.accessBoost).toBe(3);
    clock.advance(DAY);
    const [hit] = await memory.search('quokka');
    expect(hit!.factors.recencyDecay).toBe(0.5);
    expect(hit!.factors.accessBoost).toBeCloseTo(1 + 2 / 24, 12);
  });

  it('E-34 E-35 E-36 E-37 have the documented defaults', async () => {
    const { client } = testAgent(WORDS_ONLY);
    expect((await client.open()).config.ranking).toEqual({
      ...CLASSIC,
      profile: 'steady',
      candidateMultiplier: 3,
    });
  });

  it.each([
    ['E-26 E-37', 5, 50, true],
    ['E-26', 5, 51, false],
    ['E-37', 6, 60, true],
    ['E-37', 6, 61, false],
  ])(
    '%s with %i candidates for each of 10 hits, number %i is ranked: %s',
    async (_, candidateMultiplier, total, ranked) => {
      const { memory } = testAgent({
        config: { ...WORDS_ONLY.config, ranking: { candidateMultiplier, accessBoostMax: 10 } },
      });
      // The longest text is the last candidate of the index; opened often, it is the first hit once it is ranked.
      const last = await memory.add({
        content: `quokka ${Array.from({ length: 34 }, (_, i) => `w${i}`).join(' ')}`,
      });
      await Promise.all(Array.from({ length: total - 1 }, (_, i) => memory.add({ content: `quokka ${i}` })));
      await Promise.all(Array.from({ length: 90 }, () => memory.get(last.id)));
      const [first] = await memory.search('quokka', { all: true });
      expect(first!.id === last.id).toBe(ranked);
    },
  );
});
