/** A search that cannot go by meaning goes by words, says why, and does not wait for the same failure again and again. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import type { EmbeddingModel } from '../../src/ports/embedding-model.ts';
import { fakeClock } from '../../src/testing/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { ALICE, openRecords, type RecordsOptions } from './support/open-records.ts';
import { topicModel, topicVector } from './support/topic-model.ts';

type Options = Omit<RecordsOptions, 'file' | 'open'>;

async function program(file: string, model: EmbeddingModel, options: Options = {}) {
  const opened = await openRecords({ file, open: async () => model, ...options });
  const add = (content: string) => opened.records.add({ content }, ALICE);
  const search = (query: string) => opened.records.search({ query }, ALICE);
  return { ...opened, add, search };
}

const database = () => join(temporaryFolder(), 'k.db');

/** Counts what it is asked. */
function counting(model = topicModel()) {
  const asked: string[] = [];
  const embed = model.embed.bind(model);
  model.embed = (texts, kind) => {
    if (kind === 'query') asked.push(...texts);
    return embed(texts, kind);
  };
  return { model, asked };
}

describe('why', () => {
  it('is told as long as it holds, and not when the question has no known word', async () => {
    const model = topicModel();
    const { add, search } = await program(database(), model);
    await add('My kitten sleeps');
    expect((await search('violin')).notices).toEqual([]);
    model.mode = 'fails';
    const found = await search('kitten');
    expect(found).toHaveLength(1);
    expect(found.notices).toEqual([expect.stringMatching(/words only.*out of order/)]);
    model.mode = 'works';
    const again = await search('pet');
    expect(again).toHaveLength(1);
    expect(again.notices).toEqual([]);
  });

  it('is the other model when the vectors are of one that cannot be opened here, or that fails', async () => {
    const file = database();
    const old = topicModel({ id: 'test/old' });
    const first = await program(file, old);
    await first.add('My kitten sleeps');
    await first.embedder.drain();
    const next = topicModel({ id: 'test/next' });
    const told = expect.stringMatching(
      /The vectors here are of test\/old, and test\/next is configured.*keepsake re-embed/s,
    );
    const second = await program(file, next);
    const nothing = await second.search('pet');
    expect([...nothing]).toEqual([]);
    expect(nothing.notices).toEqual([told]);
    const broken = { ...old, embed: () => Promise.reject(new KeepsakeError('UNSUPPORTED', 'No runtime.')) };
    const third = await program(file, next, { openStored: async () => broken });
    const nothingEither = await third.search('pet');
    expect([...nothingEither]).toEqual([]);
    expect(nothingEither.notices).toEqual([told]);
    expect(nothingEither.notices[0]).toContain('No runtime.');
  });
});

describe('a server that answers with another length than before', () => {
  /** Says how long its vectors are with its first answer only. */
  function unmeasured(length: () => number): EmbeddingModel {
    let dimensions = 0;
    return {
      ...topicModel(),
      get dimensions() {
        return dimensions;
      },
      async embed(texts) {
        dimensions = length();
        return texts.map((text) => topicVector(text, dimensions));
      },
    };
  }

  it('leaves the search its words, and is asked again once it is right again', async () => {
    const file = database();
    const first = await program(
      file,
      unmeasured(() => 8),
    );
    const { id } = await first.add('My kitten sleeps');
    await first.embedder.drain();
    let length = 6;
    const second = await openRecords({ file, open: async () => unmeasured(() => length) });
    const search = async (query: string) =>
      (await second.records.search({ query }, ALICE)).map((hit) => hit.id);
    expect(await search('kitten')).toEqual([id]);
    expect(await second.records.recall({ task: 'kitten' }, ALICE)).toMatchObject({
      relevant: [{ id }],
      notices: [expect.stringContaining('8 dimensions')],
    });
    length = 8;
    expect(await search('pet')).toEqual([id]);
  });
});

describe('a model that does not answer', () => {
  it.each(['hangs', 'away'] as const)('(%s) is left alone for a while', async (how) => {
    const clock = fakeClock();
    const { model, asked } = counting();
    const { add, search, embedder } = await program(database(), model, { clock, patienceMs: 500 });
    await add('My kitten sleeps');
    await embedder.drain();
    const { embed } = model;
    if (how === 'hangs') model.mode = 'hangs';
    else
      model.embed = async (...call) => {
        await embed(...call);
        throw new KeepsakeError('UNAVAILABLE', 'nobody there');
      };
    for (let i = 0; i < 3; i++) expect(await search('kitten')).toHaveLength(1);
    expect(asked).toHaveLength(1);
    expect((await search('kitten')).notices).toHaveLength(1);
    clock.advance(30_000);
    await search('kitten');
    expect(asked).toHaveLength(2);
    model.mode = 'works';
    model.embed = embed;
    clock.advance(30_000);
    expect(await search('pet')).toHaveLength(1);
    expect(await search('pet')).toHaveLength(1);
    expect(asked).toHaveLength(4);
  });

  it('is asked again as soon as it has embedded something in the background', async () => {
    const model = topicModel();
    const { add, search, embedder } = await program(database(), model);
    const { embed } = model;
    model.embed = () => Promise.reject(new KeepsakeError('UNAVAILABLE', 'nobody there'));
    await add('My kitten sleeps');
    expect(await search('pet')).toEqual([]);
    model.embed = embed;
    expect(await search('pet')).toEqual([]);
    await embedder.drain();
    expect(await search('pet')).toHaveLength(1);
  });

  it('to stored texts does not hold up every question', async () => {
    const clock = fakeClock();
    const { model, asked } = counting();
    const { add, search, embedder } = await program(database(), model, { clock });
    await add('My kitten sleeps');
    await embedder.drain();
    const { embed } = model;
    let documents = 0;
    model.embed = (texts, kind) => {
      if (kind === 'query') return embed(texts, kind);
      documents++;
      return Promise.reject(new KeepsakeError('TIMEOUT', 'too much at once'));
    };
    await add('A second cat');
    await embedder.drain().catch(() => undefined);
    const before = documents;
    for (let i = 0; i < 3; i++) expect(await search('pet')).toHaveLength(1);
    expect(asked).toHaveLength(3);
    expect(documents - before).toBeLessThanOrEqual(2);
    expect((await search('pet')).notices).toEqual([]);
  });
});

describe('texts that are no longer stored', () => {
  it('are compared with any model, a batch at a time, each embedded once', async () => {
    const { model } = counting(topicModel({ batchSize: 2 }));
    const { embedder } = await program(database(), model);
    const question = (await embedder.query('pet'))!;
    const texts = ['a cat', 'red tea', 'a dog', 'a cat'];
    expect(await embedder.compareAll(texts, question)).toEqual([1, 0, null, 1]);
    expect(await embedder.compareAll(texts, question)).toEqual([1, 0, 1, 1]);
    await embedder.compareAll(texts, question);
    expect(model.calls).toEqual([['a cat', 'red tea'], ['a dog']]);
  });

  it('are passed over when the model cannot take them, fails, or is another one', async () => {
    const model = topicModel();
    model.refuses = 'a dog';
    const { embedder } = await program(database(), model);
    const question = (await embedder.query('pet'))!;
    expect(await embedder.compareAll(['a dog', 'a cat'], question)).toEqual([null, 1]);
    expect(await embedder.compareAll(['a cat'], { ...question, model: 'test/other' })).toEqual([null]);
    model.mode = 'fails';
    expect(await embedder.compareAll(['a puppy', 'a cat'], question)).toEqual([null, 1]);
    expect((await embedder.health())!.problem).toContain('out of order');
  });
});
