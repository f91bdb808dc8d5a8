/** Late interaction changes the order of hits and nothing else, and its absence is said. */
import { describe, expect, it, vi } from 'vitest';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { LateInteraction, type MemoryHit } from '../../src/records/index.ts';
import { tokenBoosts } from '../../src/records/search/late-order.ts';
import { fakeClock } from '../../src/testing/index.ts';
import { testAgent } from '../fixtures/workspace.ts';
import { type WordTokenModel, wordTokenModel } from './support/word-token-model.ts';

/** Words only, so that the words of other groups count for nothing but late interaction. */
const CONFIG = { models: { embedding: 'none' } } as const;
const QUESTION = 'Which car was bought in Bergen?';
/** One answers with other words for the same; the others share one word with the question, some among many. */
const ANSWER = 'A crimson vehicle was acquired near Bergen.';
const LINES = [
  'The house in Bergen stood empty.',
  'Bergen lies between seven hills, says everybody who lives there and likes to walk up one of them on a Sunday.',
  'The walk from Bergen went uphill.',
  ANSWER,
  'Somebody who had never seen Bergen told everybody else that it lies in the south, where it is warm all year.',
  'It rained for weeks on end, and the roof of the old boat house near the harbour of Bergen had to be repaired.',
];

function agentWith(model: WordTokenModel = wordTokenModel()) {
  const opened = testAgent({ config: CONFIG, lateInteraction: model });
  const late = async () => (await opened.client.open()).lateInteraction!;
  const addAll = async () => {
    for (const content of LINES) await opened.memory.add({ content, thread: 'trip' });
  };
  return { ...opened, model, late, addAll };
}

describe('the order', () => {
  it('puts what matches token by token first, and leaves relevance as it is', async () => {
    const plain = testAgent({ config: CONFIG });
    for (const content of LINES) await plain.memory.add({ content, thread: 'trip' });
    const before = await plain.memory.search(QUESTION, { all: true });
    expect(before.map(({ factors }) => factors.tokenBoost)).toEqual(LINES.map(() => 1));

    const { memory, late, addAll } = agentWith();
    await addAll();
    await (await late()).drain();
    const after = await memory.search(QUESTION, { all: true });
    expect(after[0]!.content).toBe(ANSWER);
    expect(before[0]!.content).not.toBe(ANSWER);
    const relevances = (hits: readonly { content: string; relevance: number }[]) =>
      new Map(hits.map(({ content, relevance }) => [content, relevance]));
    expect(relevances(after)).toEqual(relevances(before));
    expect(after[0]!.factors.tokenBoost).toBeGreaterThan(1);
    expect(after[0]!.explain).toMatch(/× 1\.\d\d for how its tokens match those of the question/);
    expect(after.notices).toEqual([]);
  });

  it('does not depend on how many hits, or which relevance, are asked for', async () => {
    const { memory, late, addAll } = agentWith();
    await addAll();
    await (await late()).drain();
    const ids = async (options: object) => (await memory.search(QUESTION, options)).map(({ id }) => id);
    const all = await ids({ all: true });
    expect((await ids({ all: true, limit: 1 }))[0]).toBe(all[0]);
    expect(await ids({ minRelevance: 0.01, limit: 50 })).toEqual(all);
  });

  it('is the same above a relevance that is asked for', async () => {
    const { memory, late, addAll } = agentWith();
    await addAll();
    await (await late()).drain();
    const all = await memory.search(QUESTION, { all: true });
    const relevances = all.map(({ relevance }) => relevance).toSorted((a, b) => b - a);
    for (const minRelevance of relevances.slice(1, -1)) {
      const above = all.filter(({ relevance }) => relevance >= minRelevance);
      const asked = await memory.search(QUESTION, { minRelevance });
      const told = (hits: readonly MemoryHit[]) => hits.map(({ id, factors }) => [id, factors.tokenBoost]);
      expect(told(asked)).toEqual(told(above));
    }
  });

  it('is made of finite numbers where scores are 0 by rounding', () => {
    const scored = (scores: readonly number[]) =>
      scores.map((score, i) => ({ record: { id: `${i}` }, score })) as never;
    const boosts = (scores: readonly number[], matches: readonly number[]) =>
      tokenBoosts(scored(scores), new Map(matches.map((match, i) => [`${i}`, match])));
    const some = boosts([0.5, 0, 0.2], [0.2, 0.9, 0.4]);
    expect(some.every((boost) => Number.isFinite(boost) && boost > 0)).toBe(true);
    // Half of the scores are 0, and one match is far from all others.
    const scores = Array.from({ length: 50 }, (_, i) => i % 2);
    const far = boosts(
      scores,
      scores.map((_, i) => (i === 0 ? 1 : 0.1)),
    );
    expect(far.map((boost, i) => boost * scores[i]!).every(Number.isFinite)).toBe(true);
    expect(boosts([0.5, 0.2], [Number.NaN, 0.4])).toEqual([1, 1]);
  });

  it('is not changed by what waits, nor where all match alike', () => {
    const hits = ['a', 'b', 'c'].map((id, i) => ({ record: { id }, score: 1 / (i + 1) })) as never;
    expect(tokenBoosts(hits, new Map([['b', 0.9]]))).toEqual([1, 1, 1]);
    expect(
      tokenBoosts(
        hits,
        new Map([
          ['a', 0.5],
          ['b', 0.5],
        ]),
      ),
    ).toEqual([1, 1, 1]);
    const [a, b, c] = tokenBoosts(
      hits,
      new Map([
        ['a', 0.2],
        ['c', 0.6],
      ]),
    );
    expect(a! * c!).toBeCloseTo(1);
    expect([a! < 1, b, c! > 1]).toEqual([true, 1, true]);
  });
});

describe('reading in the background', () => {
  it('counts nothing for a search, and reads one passage of its question', async () => {
    const { client, memory } = testAgent({ config: CONFIG });
    for (const content of LINES) await memory.add({ content, thread: 'trip' });
    const store = (await client.open()).storage.tokens!;
    const backlog = vi.spyOn(store, 'backlog');
    const asked: string[] = [];
    const leaseRunner = {
      attempt: async (name: string, work: () => Promise<number>) => {
        asked.push(name);
        return { value: await work() };
      },
    } as never;
    const model = wordTokenModel();
    const late = new LateInteraction({ store, leaseRunner, open: async () => model });
    expect(await late.drain()).toBe(LINES.length);
    const turns = asked.length;
    await late.matches(QUESTION, ['mem_1'], () => {});
    expect(await late.drain()).toBe(0);
    expect(model.asked.at(-1)).toMatchObject({ text: QUESTION, mostPassages: 1 });
    expect([turns > 0, asked.length, backlog.mock.calls.length]).toEqual([true, turns, 0]);
    await late.close();
  });

  it('does not hold up an add, and goes on after the model works again', async () => {
    const { memory, model, late, addAll } = agentWith();
    model.mode = 'fails';
    await addAll();
    const found = await memory.search(QUESTION, { all: true });
    expect(found).toHaveLength(LINES.length);
    expect(found.notices).toEqual([
      expect.stringContaining('Ordered without late interaction. the token model is out of order'),
    ]);
    model.mode = 'works';
    expect(await (await late()).drain()).toBe(LINES.length);
    expect((await memory.search(QUESTION, { all: true })).notices).toEqual([]);
  });

  it('happens by itself, each text with those around it', async () => {
    const { memory, model, late, addAll } = agentWith();
    await memory.search('wakes the model');
    await addAll();
    await vi.waitFor(async () =>
      expect(await (await late()).health()).toMatchObject({ encoded: LINES.length, waiting: 0 }),
    );
    expect(model.asked).toContainEqual(
      expect.objectContaining({ text: LINES[1], before: [LINES[0]], after: LINES[2] }),
    );
  });

  it('stops when the client closes', async () => {
    const { client, model, late, addAll } = agentWith();
    await late();
    await addAll();
    model.mode = 'stands still';
    const draining = (await late()).drain();
    await new Promise((next) => setTimeout(next, 20));
    await Promise.all([client.close(), expect(draining).rejects.toThrow('stopped')]);
    expect(model.closed).toBe(true);
  });
});

describe('without what it needs', () => {
  const asked = async (late: LateInteraction) => {
    const failures: KeepsakeError[] = [];
    const found = await late.matches('car', ['mem_1'], (why) => failures.push(why));
    await late.close();
    return { found, failures };
  };

  it('says that another engine has no token vectors', async () => {
    const late = new LateInteraction({ store: undefined, open: async () => wordTokenModel() });
    expect(await asked(late)).toEqual({
      found: undefined,
      failures: [
        expect.objectContaining({ code: 'UNSUPPORTED', message: expect.stringContaining('SQLite') }),
      ],
    });
  });

  it('leaves a model alone for a while that does not answer', async () => {
    const { client } = testAgent({ config: CONFIG });
    const store = (await client.open()).storage.tokens!;
    const model = wordTokenModel();
    model.mode = 'stands still';
    const clock = fakeClock();
    const late = new LateInteraction({ store, clock, open: async () => model, patienceMs: 10 });
    const failures: string[] = [];
    const ask = () => late.matches('car', ['mem_1'], ({ code }) => failures.push(code));
    expect(await ask()).toBeUndefined();
    model.mode = 'works';
    expect(await ask()).toBeUndefined();
    expect(failures).toEqual(['TIMEOUT', 'TIMEOUT']);
    clock.advance(60_000);
    expect(await ask()).toEqual(new Map());
    await late.close();
  });

  it('reports a model that cannot be opened', async () => {
    const { client } = testAgent({ config: CONFIG });
    const store = (await client.open()).storage.tokens!;
    const missing = new KeepsakeError('NOT_FOUND', 'It is not on this machine.', { hint: 'Pull it.' });
    const late = new LateInteraction({ store, open: () => Promise.reject(missing) });
    expect(await late.health()).toEqual({ model: null, encoded: 0, waiting: 0, problem: missing.message });
    expect((await asked(late)).failures).toEqual([missing]);
  });
});
