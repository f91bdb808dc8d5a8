/** Every hit says why it is there, in numbers and in words. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import type { Reranker } from '../../src/ports/reranker.ts';
import { rerankingServer } from '../fixtures/reranking-server.ts';
import { testAgent } from '../fixtures/workspace.ts';

const WORDS_ONLY = { config: { models: { embedding: 'none' } } };
const contents = (hits: readonly { content: string }[]): string[] => hits.map((hit) => hit.content);

describe('explain', () => {
  it('names the matched words as they were asked', async () => {
    const { memory } = testAgent(WORDS_ONLY);
    await memory.add({ content: 'she prefers running in the mornings' });
    const [hit] = await memory.search('Does she prefer RUNS to giraffes?');
    expect(hit!.explain).toMatch(/^holds .*"RUNS"/);
    expect(hit!.explain).toContain('"prefer"');
    expect(hit!.explain).not.toContain('giraffe');
    expect(hit!.explain).toContain(`(${hit!.factors.coverage.toFixed(2)} of the question)`);
  });

  it('names six words and counts the others', async () => {
    const { memory } = testAgent(WORDS_ONLY);
    const words = 'alpha beta gamma delta epsilon zeta eta theta';
    await memory.add({ content: words });
    const [hit] = await memory.search(words);
    expect(hit!.explain.match(/"\w+"/g)).toHaveLength(6);
    expect(hit!.explain).toContain('and 2 more');
  });

  it('names emoji and words of scripts without spaces', async () => {
    const { memory } = testAgent(WORDS_ONLY);
    await memory.add({ content: 'Release party 🎉 on Friday' });
    await memory.add({ content: '我喜欢在早上喝绿茶' });
    expect((await memory.search('🎉'))[0]!.explain).toContain('"🎉"');
    expect((await memory.search('绿茶'))[0]!.explain).toContain('"绿茶"');
    // Pairs that stand side by side are one, and what does not match is not told.
    const [hit] = await memory.search('你喜欢在早上吃什么？我的车在哪里');
    expect(hit!.explain).toMatch(/^holds "喜欢在早上" \(/);
  });

  it('speaks of meaning where that is what counts', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'He plays the violin in an orchestra' });
    const [hit] = await memory.search('which musical instrument');
    expect(hit!.explain).toMatch(/^close in meaning \(\d\.\d\d, cosine \d\.\d\d\)\. relevance/);
    expect(hit!.explain).not.toContain('holds');
    const [words] = await memory.search('violin');
    expect(words!.explain).toMatch(/^holds "violin".*; close in meaning/);
  });

  it('speaks of age and of accesses once they matter', async () => {
    const { memory, clock } = testAgent({
      config: { ...WORDS_ONLY.config, ranking: { profile: 'classic' } },
    });
    const { id } = await memory.add({ content: 'quokka' });
    const text = async () => (await memory.search('quokka'))[0]!.explain;
    expect(await text()).toBe('holds "quokka" (1.00 of the question). relevance 1.00.');
    await memory.get(id);
    expect(await text()).toContain('relevance 1.00 × 1.10 for being opened 1 time = 1.10.');
    clock.advance(DAY);
    expect(await text()).toContain('× 0.95 for 1 day of age');
    clock.advance(13 * DAY);
    expect(await text()).toContain('× 0.50 for 14 days of age');
  });

  it('of a long question and many hits is worked out once', async () => {
    const { memory } = testAgent(WORDS_ONLY);
    await Promise.all(Array.from({ length: 150 }, (_, i) => memory.add({ content: `quokka ${i}` })));
    const question = `quokka ${Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(' ')}`;
    const hits = await memory.search(question, { limit: 150, minRelevance: 0 });
    expect(hits).toHaveLength(150);
    for (const hit of hits) expect(hit.explain).toContain('"quokka"');
  });
});

it('an order says what it gains by being one', async () => {
  const { memory } = testAgent(WORDS_ONLY);
  await memory.add({ content: 'Always review the quokka report twice' });
  const [hit] = await memory.search('quokka');
  expect(hit!.explain).toMatch(/relevance 1\.00 × 1\.75 for being an order or a preference = 1\.75\.$/);
});

describe('the factors', () => {
  it('E-23 are all there, and their product is the score', async () => {
    const { memory, clock } = testAgent();
    const first = await memory.add({ content: 'He plays the violin', thread: 't' });
    await memory.add({ content: 'in an orchestra', thread: 't' });
    await memory.get(first.id);
    clock.advance(5 * DAY);
    const hits = await memory.search('violin music', { minRelevance: 0 });
    expect(hits.length).toBeGreaterThan(0);
    for (const { factors, score, relevance } of hits) {
      expect(Object.keys(factors).toSorted()).toEqual(
        [
          'accessBoost',
          'authorBoost',
          'context',
          'coverage',
          'earlierDecay',
          'openingBoost',
          'orderBoost',
          'recencyDecay',
          'relevance',
          'semantic',
          'similarity',
          'speechBoost',
          'tokenBoost',
        ].toSorted(),
      );
      for (const value of Object.values(factors)) expect(Number.isFinite(value)).toBe(true);
      expect(factors.relevance).toBe(relevance);
      expect(score).toBe(
        relevance *
          factors.recencyDecay *
          factors.accessBoost *
          factors.orderBoost *
          factors.authorBoost *
          factors.openingBoost *
          factors.speechBoost *
          factors.earlierDecay *
          factors.tokenBoost,
      );
    }
  });
});

describe('a reranker', () => {
  const reranker = (score: (text: string) => number, seen: string[][] = []): Reranker => ({
    id: 'test/reranker',
    rerank: async (_, texts) => {
      seen.push([...texts]);
      return texts.map(score);
    },
  });

  it('has the last word on the relevance of the best', async () => {
    const score = (text: string) => (text.includes('small') ? 0.9 : 0.3);
    const { memory } = testAgent({ ...WORDS_ONLY, reranker: reranker(score) });
    await memory.add({ content: 'quokka' });
    await memory.add({ content: `a small animal that is called quokka ${'and more '.repeat(20)}` });
    const hits = await memory.search('quokka');
    expect(hits.map((hit) => [hit.content.includes('small'), hit.relevance])).toEqual([
      [true, 0.9],
      [false, 0.3],
    ]);
    expect(hits[0]).toMatchObject({ score: 0.9, factors: { relevance: 0.9, coverage: 1 } });
    expect(hits[0]!.explain).toContain('relevance 0.90 as test/reranker judges');
  });

  it('that fails leaves the order as it was, and every hit says so', async () => {
    const broken: Reranker = {
      id: 'test/reranker',
      rerank: () => Promise.reject(new Error('The reranker is away.')),
    };
    const { memory } = testAgent({ ...WORDS_ONLY, reranker: broken });
    await memory.add({ content: 'quokka' });
    const [hit] = await memory.search('quokka');
    expect(hit!.explain).toBe(
      'holds "quokka" (1.00 of the question). relevance 1.00. Not reranked: The reranker is away.',
    );
  });

  it('reads the passage of a long text that answers best, not its beginning', async () => {
    const seen: string[][] = [];
    const { memory } = testAgent({ ...WORDS_ONLY, reranker: reranker(() => 0.5, seen) });
    await memory.add({ content: `${'filler '.repeat(1_000)} the quokka sleeps ${'filler '.repeat(1_000)}` });
    await memory.search('quokka sleeps');
    expect(seen[0]![0]!.length).toBeLessThanOrEqual(1_500);
    expect(seen[0]![0]).toContain('quokka sleeps');
  });

  it('is taken from the configuration', async () => {
    const server = await rerankingServer();
    const models = { embedding: 'none', reranker: 'server/judge', rerankerUrl: server.url };
    const { memory } = testAgent({ config: { models } });
    await memory.add({ content: 'a quokka' });
    const [hit] = await memory.search('quokka');
    expect(hit!.explain).toContain('as server/judge judges');
    expect(server.received).toHaveLength(1);
  });

  it('E-26 reads three candidates for each of ten hits, however few are wanted, and none when there is none', async () => {
    const seen: string[][] = [];
    const { memory } = testAgent({ ...WORDS_ONLY, reranker: reranker(() => 0.5, seen) });
    for (let i = 0; i < 35; i++) await memory.add({ content: `quokka ${i}` });
    await memory.search('quokka', { limit: 4 });
    expect(seen.map((texts) => texts.length)).toEqual([30]);
    await memory.search('wombat');
    expect(seen).toHaveLength(1);
  });

  it('leaves out what it finds irrelevant, and cannot leave the scale', async () => {
    const score = (text: string) =>
      ({ over: 17, none: Number.NaN, below: -3, low: 0.05 })[text.split(' ')[0]!] ?? 0.5;
    const { memory } = testAgent({ ...WORDS_ONLY, reranker: reranker(score) });
    for (const word of ['over', 'none', 'below', 'low', 'good'])
      await memory.add({ content: `${word} quokka` });
    expect((await memory.search('quokka')).map(({ content, relevance }) => [content, relevance])).toEqual([
      ['over quokka', 1],
      ['good quokka', 0.5],
    ]);
    expect(contents(await memory.search('quokka', { minRelevance: 0.6 }))).toEqual(['over quokka']);
  });
});
