/** Vectors follow the write: whatever the model does, nothing is lost, nothing waits for it, and health says why. */
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';
import { ALICE, openRecords } from './support/open-records.ts';
import { type TopicModel, type TopicModelOptions, topicModel } from './support/topic-model.ts';

function agentWith(model: TopicModel) {
  const { memory, client, ...rest } = testAgent({ embedding: model });
  return { memory, client, ...rest, embedder: async () => (await client.open()).embedder };
}

async function recordsWith(
  model: TopicModel,
  { file = join(temporaryFolder(), 'k.db'), ...more }: { file?: string; patienceMs?: number } = {},
) {
  const opened = await openRecords({ file, open: async () => model, ...more });
  const add = (content: string) => opened.records.add({ content }, ALICE);
  const search = (query: string) => opened.records.search({ query }, ALICE);
  return { ...opened, add, search };
}

/**
 * Records that wait for their vectors, stored by a program that has ended. The embedder that works on them was never
 * woken, so nothing is made but what the test asks for.
 */
async function waitingRecords(model: TopicModel, count: number, more: { patienceMs?: number } = {}) {
  const file = join(temporaryFolder(), 'k.db');
  const broken = models();
  broken.mode = 'fails';
  const before = await recordsWith(broken, { file });
  for (let i = 0; i < count; i++) await before.add(`cat ${i}`);
  await before.embedder.close();
  await before.storage.close();
  return recordsWith(model, { file, ...more });
}

const models = (options: TopicModelOptions = {}) => topicModel({ batchSize: 2, ...options });

describe('a model that fails', () => {
  it.each([
    ['fails', 'the model is out of order'],
    ['wrong-count', 'gave 0 vectors for'],
    ['not-numbers', 'not finite'],
    ['too-short', '1 dimensions instead of 5'],
  ] as const)(
    '(%s) does not touch the write, and search goes by words until it works again',
    async (mode, why) => {
      const model = models();
      model.mode = mode;
      const { memory, embedder } = agentWith(model);
      const { id } = await memory.add({ content: 'My kitten sleeps' });
      await memory.add({ content: 'A red lorry' });
      expect((await memory.search('kitten')).map((hit) => hit.id)).toEqual([id]);
      expect(await memory.search('pet')).toEqual([]);
      const health = await (await embedder()).health();
      expect(health).toMatchObject({ embedded: 0, waiting: 2 });
      expect(health!.problem).toContain(why);

      model.mode = 'works';
      expect((await memory.search('pet')).map((hit) => hit.id)).toEqual([id]);
      expect(await (await embedder()).health()).toMatchObject({ embedded: 2, waiting: 0, problem: null });
    },
  );

  it('in the middle of a queue keeps what it made, and is filled up later', async () => {
    const model = models();
    const { embedder } = await waitingRecords(model, 7);
    const embed = model.embed;
    let calls = 0;
    model.embed = async (...input) => {
      calls += 1;
      if (calls === 3) model.mode = 'fails';
      return embed(...input);
    };
    await expect(embedder.drain()).rejects.toThrow('out of order');
    expect(await embedder.health()).toMatchObject({ embedded: 4, waiting: 3 });
    model.mode = 'works';
    expect(await embedder.drain()).toBe(3);
    expect(await embedder.health()).toMatchObject({ embedded: 7, waiting: 0, problem: null });
  });

  it('at one text only does not keep the others waiting', async () => {
    const model = models({ batchSize: 4 });
    model.refuses = 'the cat that breaks it';
    const { add, embedder, search } = await recordsWith(model);
    const bad = await add('the cat that breaks it');
    for (let i = 0; i < 9; i++) await add(`dog ${i}`);
    await embedder.drain().catch(() => undefined);
    expect(await embedder.health()).toMatchObject({ embedded: 9, waiting: 1 });
    expect((await search('pet')).some((hit) => hit.id === bad.id)).toBe(false);
    expect((await embedder.health())!.problem).toContain('cannot take');
    model.refuses = undefined;
    await embedder.drain();
    expect(await embedder.health()).toMatchObject({ embedded: 10, waiting: 0, problem: null });
  });

  it('to open says so, is tried again, and is no obstacle meanwhile', async () => {
    const file = join(temporaryFolder(), 'k.db');
    let isThere = false;
    const { records, embedder } = await openRecords({
      file,
      open: async () => {
        if (!isThere) throw new Error('no such model');
        return topicModel();
      },
    });
    await records.add({ content: 'My kitten sleeps' }, ALICE);
    expect(await records.search({ query: 'kitten' }, ALICE)).toHaveLength(1);
    expect(await embedder.health()).toMatchObject({
      model: null,
      problem: expect.stringContaining('no such model'),
    });
    isThere = true;
    expect(await records.search({ query: 'pet' }, ALICE)).toHaveLength(1);
    expect(await embedder.health()).toMatchObject({ embedded: 1, problem: null });
  });

  it('at once, while a text is stored, leaves the text in the queue', async () => {
    const slow = models();
    const { memory, embedder } = agentWith({
      ...slow,
      embedNow: () => {
        throw new Error('not now');
      },
    } as TopicModel);
    await memory.search('opens the model');
    await memory.add({ content: 'My kitten sleeps' });
    expect((await (await embedder()).health())!.problem).toContain('not now');
    expect(await memory.search('pet')).toHaveLength(1);
  });
});

describe('a model that hangs', () => {
  it('blocks neither a write nor the closing', async () => {
    const model = models();
    model.mode = 'hangs';
    const { memory, client, embedder } = agentWith(model);
    const ids = await Promise.all(['a cat', 'a dog'].map((content) => memory.add({ content })));
    expect(ids.every(({ outcome }) => outcome === 'added')).toBe(true);
    void (await embedder()).drain().catch(() => undefined);
    await expect.poll(() => model.calls.length).toBe(1);
    await memory.add({ content: 'a puppy' });
    expect(await memory.list()).toHaveLength(3);
    await client.close();
    expect(model.closed).toBe(true);
  });

  it('makes a search wait only so long, then it goes by words', async () => {
    const model = models();
    model.mode = 'hangs';
    const { add, search, embedder } = await recordsWith(model, { patienceMs: 20 });
    const { id } = await add('My kitten sleeps');
    expect((await search('kitten')).map((hit) => hit.id)).toEqual([id]);
    expect((await embedder.health())!.problem).toContain('did not answer within 0.02 seconds');
  });

  it('while documents are embedded does not keep a question from its vector', async () => {
    const model = models();
    const { add, search, embedder } = await recordsWith(model, { patienceMs: 20 });
    const { id } = await add('My kitten sleeps');
    await embedder.drain();
    const embed = model.embed;
    model.embed = (texts, kind) => (kind === 'document' ? new Promise(() => {}) : embed(texts, kind));
    await add('A second cat');
    expect((await search('pet')).map((hit) => hit.id)).toEqual([id]);
  });

  it('when it opens does not keep the client from closing, and is closed once it is open', async () => {
    const model = models();
    const { embedder, records } = await openRecords({
      file: join(temporaryFolder(), 'k.db'),
      open: () => opening.promise,
      patienceMs: 20,
    });
    const opening = Promise.withResolvers<TopicModel>();
    await records.add({ content: 'My kitten sleeps' }, ALICE);
    expect(await records.search({ query: 'kitten' }, ALICE)).toHaveLength(1);
    await embedder.close();
    expect(model.closed).toBe(false);
    opening.resolve(model);
    await expect.poll(() => model.closed).toBe(true);
  });
});

describe('the queue', () => {
  it('embeds each record once, in batches, and shows its progress', async () => {
    const model = models();
    const { embedder } = await waitingRecords(model, 5);
    const progress: { done: number; total: number }[] = [];
    await embedder.drain({ onProgress: (step) => progress.push(step) });
    const texts = model.calls.flat();
    expect(texts.toSorted()).toEqual(['cat 0', 'cat 1', 'cat 2', 'cat 3', 'cat 4']);
    expect(Math.max(...model.calls.map((call) => call.length))).toBeLessThanOrEqual(2);
    expect(progress).toEqual([
      { done: 2, total: 5 },
      { done: 4, total: 5 },
      { done: 5, total: 5 },
    ]);
    expect(await embedder.drain()).toBe(0);
  });

  it('is worked off by several at once without doing anything twice', async () => {
    const model = models();
    const { embedder, search } = await waitingRecords(model, 20);
    await Promise.all([embedder.drain(), search('pet'), embedder.drain(), search('dog')]);
    await embedder.drain();
    expect(model.calls.flat().length).toBe(20);
    expect(await embedder.health()).toMatchObject({ embedded: 20, waiting: 0 });
  });

  it('lets a search in between the batches of a long drain', async () => {
    const model = models({ batchSize: 1 });
    const { embedder, search } = await waitingRecords(model, 30, { patienceMs: 600_000 });
    const [start, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const embed = model.embed;
    let documents = 0;
    model.embed = async (texts, kind) => {
      if (kind === 'document') await (++documents < 6 ? start : rest).promise;
      return embed(texts, kind);
    };
    const drained = embedder.drain();
    const answered = search('pet');
    start.resolve();
    await answered;
    expect((await embedder.health())!.waiting).toBeGreaterThan(20);
    rest.resolve();
    await drained;
    expect(await embedder.health()).toMatchObject({ embedded: 30, waiting: 0 });
  });

  it('goes on in another process where the first one stopped', async () => {
    const workspace = testWorkspace();
    const broken = models();
    broken.mode = 'fails';
    const first = workspace.open({ embedding: broken });
    await first.agent({ name: 'alice' }).memory.add({ content: 'My kitten sleeps' });
    await first.close();
    const second = workspace.open({ embedding: models() });
    expect(await (await second.open()).embedder.drain()).toBe(1);
    expect(await second.agent({ name: 'alice' }).memory.search('pet')).toHaveLength(1);
  });

  it('is worked off in the background, without anyone asking', async () => {
    const model = models();
    const { memory, embedder } = agentWith(model);
    await Promise.all(Array.from({ length: 9 }, (_, i) => memory.add({ content: `cat ${i}` })));
    await expect.poll(async () => (await (await embedder()).health())!.waiting).toBe(0);
    expect(model.calls.flat()).toHaveLength(9);
  });

  it('is tried again after one second, then after pauses that double up to a minute, until it works', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const model = models();
    model.mode = 'fails';
    const { add, embedder } = await recordsWith(model);
    await add('My kitten sleeps');
    /** Not by `expect.poll`, which moves the clock itself. */
    const until = async (isSo: () => boolean | Promise<boolean>) => {
      while (!(await isSo())) await tick();
    };
    /** The attempt has failed, and the next one is set. */
    const isSet = () => until(() => vi.getTimerCount() === 1);
    /** After a commit SQLite notes how far it came, by a timer of its own (drivers/sqlite/witness.ts). */
    const passWitness = () => vi.advanceTimersByTime(250);
    passWitness();
    await isSet();
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const attempts = model.calls.length;
      vi.advanceTimersByTime(seconds * 1_000 - 1);
      expect(vi.getTimerCount()).toBe(1);
      // More of the same does not hurry it.
      embedder.wake();
      vi.advanceTimersByTime(1);
      await isSet();
      expect(model.calls.length).toBeGreaterThan(attempts);
    }
    model.mode = 'works';
    vi.advanceTimersByTime(60_000);
    await until(async () => (await embedder.health())!.waiting === 0);
    passWitness();
    expect(vi.getTimerCount()).toBe(0);
    // What comes later begins at once again, and with a short pause.
    model.mode = 'fails';
    await add('A red lorry');
    passWitness();
    await isSet();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
    await isSet();
  });

  it('leaves a record that changed meanwhile waiting for its new text', async () => {
    const model = models();
    const { records, embedder, search, add } = await recordsWith(model);
    const embed = model.embed;
    const { id } = await add('My kitten sleeps');
    model.embed = async (texts, kind) => {
      const vectors = await embed(texts, kind);
      model.embed = embed;
      await records.update({ id, content: 'A red lorry' }, ALICE);
      return vectors;
    };
    await embedder.drain();
    await embedder.drain();
    expect(await search('pet')).toEqual([]);
    expect((await search('vehicle')).map((hit) => hit.id)).toEqual([id]);
    expect(await embedder.health()).toMatchObject({ embedded: 1, waiting: 0 });
  });

  it('forgets what was forgotten meanwhile', async () => {
    const model = models();
    model.mode = 'fails';
    const { records, add, embedder } = await recordsWith(model);
    const { id } = await add('My kitten sleeps');
    await records.forget({ id }, ALICE);
    model.mode = 'works';
    expect(await embedder.drain()).toBe(0);
    expect(model.calls.flat()).not.toContain('');
    expect(await embedder.health()).toMatchObject({ embedded: 0, waiting: 0 });
  });
});
