/** Finding by meaning: the default model, a model of one's own, several ways to scan, none at all. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStaticModel } from '../../src/models/static/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';
import { ALICE, openRecords } from './support/open-records.ts';
import { topicModel } from './support/topic-model.ts';

/** No question shares a word with its memory. */
const PAIRS = [
  ['The puppy is afraid of thunderstorms', 'Which pet gets scared of loud weather?'],
  ['She bought a new automobile last spring', 'what kind of vehicle purchase happened recently'],
  ['Our physician recommended less salt', 'doctor advice about diet'],
  ['The invoice was paid by bank transfer on Monday', 'how was the bill settled'],
  ['He plays the violin in an orchestra', 'which musical instrument'],
  ['Lena is allergic to peanuts', 'food that makes someone sick'],
  ['The server crashed because its memory ran out', 'why did the computer fail'],
  ['My brother teaches mathematics at a school', 'sibling profession'],
  ['They moved to a flat in Lisbon', 'which city is their home'],
  ['We fly to Iceland in August', 'holiday travel plans for the summer'],
] as const;

const contents = (hits: readonly { content: string }[]): string[] => hits.map((hit) => hit.content);

describe('E-01 E-28 with the default model', () => {
  it('a question without a shared word finds the right memory', async () => {
    const { memory } = testAgent();
    for (const [content] of PAIRS) await memory.add({ content });
    for (const [content, question] of PAIRS) {
      const [first] = await memory.search(question);
      expect(first?.content, question).toBe(content);
      expect(first!.factors.coverage, question).toBe(0);
      expect(first!.factors.similarity).toBeGreaterThan(0.2);
    }
  });

  it('is there for a process that has just begun, whatever another one stored', async () => {
    const workspace = testWorkspace();
    const first = workspace.open();
    for (const [content] of PAIRS) await first.agent({ name: 'alice' }).memory.add({ content });
    await first.close();
    const { memory } = workspace.open().agent({ name: 'alice' });
    expect(contents(await memory.search(PAIRS[4][1]))[0]).toBe(PAIRS[4][0]);
  });

  it('follows a changed text', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'He plays the violin in an orchestra' });
    await memory.add({ content: 'The server crashed because its memory ran out' });
    expect((await memory.search('which musical instrument')).map((hit) => hit.id)).toEqual([id]);
    await memory.update(id, { content: 'Lena is allergic to peanuts' });
    expect(await memory.search('which musical instrument')).toEqual([]);
    expect((await memory.search('food that makes someone sick')).map((hit) => hit.id)).toEqual([id]);
    await memory.undo(id);
    expect((await memory.search('which musical instrument')).map((hit) => hit.id)).toEqual([id]);
  });

  it('E-17 E-19 does not find what has expired or was forgotten, which can still be read by its id', async () => {
    const { memory, clock } = testAgent();
    const { id } = await memory.add({
      content: 'He plays the violin in an orchestra',
      expiresAt: clock.now() + 10,
    });
    const gone = await memory.add({ content: 'She plays the cello in a quartet' });
    expect(await memory.search('which musical instrument')).toHaveLength(2);
    await memory.forget(gone.id);
    clock.advance(9);
    expect((await memory.search('which musical instrument')).map((hit) => hit.id)).toEqual([id]);
    clock.advance(1);
    expect(await memory.search('which musical instrument')).toEqual([]);
    expect(await memory.get(id)).toMatchObject({ state: 'expired' });
  });

  it('keeps to the filter', async () => {
    const { memory, client } = testAgent();
    await memory.add({ content: 'He plays the violin', category: 'x', tags: ['a'], thread: 't' });
    await client.agent({ name: 'bob' }).memory.add({ content: 'She plays the cello' });
    const search = async (filter: object) => contents(await memory.search('musical instrument', filter));
    for (const filter of [{ category: 'x' }, { tags: ['a'] }, { thread: 't' }, { scope: 'agent' }, {}]) {
      expect(await search(filter)).toEqual(['He plays the violin']);
    }
    for (const filter of [
      { category: 'y' },
      { tags: ['b'] },
      { thread: 'u' },
      { scope: 'swarm' },
      { pinned: true },
    ]) {
      expect(await search(filter)).toEqual([]);
    }
  });

  it.each([
    ['Chinese', '我喜欢在早上喝绿茶', '早上喝什么茶', 'She drinks coffee at noon'],
    ['Japanese', '彼女は毎朝コーヒーを飲みます', '毎朝のコーヒー', 'The train leaves at noon'],
    ['German', 'Die Straßenbahn fährt über die Brücke', 'Wo fährt die Straßenbahn?', 'The tram is late'],
    ['emoji', 'Release party 🎉 on Friday', '🎉', 'Nothing happens on Monday'],
    [
      'emoji with words',
      'Release party 🎉 on Friday',
      'when is the 🎉 celebration',
      'The train leaves at noon',
    ],
  ])('still finds %s', async (_, content, question, other) => {
    const { memory } = testAgent();
    await memory.add({ content: other });
    const { id } = await memory.add({ content });
    await memory.add({ content: 'something else entirely' });
    expect((await memory.search(question))[0]?.id).toBe(id);
  });
});

describe('E-03 E-04 however vectors are scanned', () => {
  it('the hits are the same', async () => {
    const file = join(temporaryFolder(), 'k.db');
    const { records } = await openRecords({ file, open: async () => createStaticModel() });
    for (const [content] of PAIRS) await records.add({ content }, ALICE);
    for (let i = 0; i < 60; i++) await records.add({ content: `note ${i} about trains and bridges` }, ALICE);
    const answers = async (vectorSearch: 'wasm' | 'plain' | 'sqlite-vec') => {
      const opened = await openRecords({ file, vectorSearch, open: async () => createStaticModel() });
      return Promise.all(PAIRS.map(([, query]) => opened.records.search({ query, minRelevance: 0 }, ALICE)));
    };
    const expected = await answers('wasm');
    expect(expected.map(([first]) => first?.content)).toEqual(PAIRS.map(([content]) => content));
    expect(await answers('plain')).toEqual(expected);
    expect(await answers('sqlite-vec')).toEqual(expected);
  });
});

describe('models.embedding "none"', () => {
  it('searches by words, and only by words', async () => {
    const { memory, client } = testAgent({ config: { models: { embedding: 'none' } } });
    await memory.add({ content: 'He plays the violin' });
    expect(await memory.search('musical instrument')).toEqual([]);
    const [hit] = await memory.search('violin');
    expect(hit).toMatchObject({ relevance: 1, factors: { similarity: null, semantic: 0 } });
    expect(await (await client.open()).embedder.health()).toBe(null);
  });
});

describe('E-02 E-38 a model of one’s own', () => {
  it('takes the place of the default without any other change', async () => {
    const { memory } = testAgent({ embedding: topicModel() });
    const { id } = await memory.add({ content: 'My kitten sleeps' });
    await memory.add({ content: 'A red lorry' });
    const [hit, ...others] = await memory.search('pet');
    expect(hit).toMatchObject({ id, factors: { similarity: 1, semantic: 1, coverage: 0 } });
    expect(others).toEqual([]);
  });

  it('may know nothing of a text or of a question', async () => {
    const { memory, client } = testAgent({ embedding: topicModel() });
    await memory.add({ content: 'xyzzy plugh' });
    await memory.add({ content: 'My kitten sleeps' });
    expect(contents(await memory.search('plugh'))).toEqual(['xyzzy plugh']);
    expect(contents(await memory.search('pet'))).toEqual(['My kitten sleeps']);
    expect(await (await client.open()).embedder.health()).toMatchObject({
      embedded: 2,
      waiting: 0,
      problem: null,
    });
  });

  it('may give plain arrays and make its vectors at once', async () => {
    const slow = topicModel();
    const embedNow = (text: string) =>
      [...(text.includes('kitten') ? [1, 0] : [0, 1])] as unknown as Float32Array;
    const { memory, client } = testAgent({
      embedding: {
        ...slow,
        id: 'test/now',
        dimensions: 2,
        embed: async (texts) => texts.map(embedNow),
        embedNow,
      },
    });
    await memory.search('opens the model');
    await memory.add({ content: 'My kitten sleeps' });
    expect(await (await client.open()).embedder.health()).toMatchObject({ embedded: 1, waiting: 0 });
    expect(await memory.search('kitten')).toHaveLength(1);
  });

  it('that changed is refused until "keepsake re-embed" has made all vectors again, and never compared with the others', async () => {
    const workspace = testWorkspace();
    const first = workspace.open({ embedding: topicModel({ id: 'test/one' }) });
    await first.agent({ name: 'alice' }).memory.add({ content: 'My kitten sleeps' });
    expect(await first.agent({ name: 'alice' }).memory.search('pet')).toHaveLength(1);
    await first.close();

    // The same dimensions, but every direction means something else.
    const turned = topicModel({ id: 'test/two', batchSize: 1 });
    const embed = turned.embed.bind(turned);
    const second = workspace.open({
      embedding: {
        ...turned,
        embed: async (texts, kind) => (await embed(texts, kind)).map((vector) => vector.toReversed()),
      },
    });
    const { memory } = second.agent({ name: 'alice' });
    const { embedder } = await second.open();
    expect(await embedder.health()).toMatchObject({
      model: null,
      problem: 'The vectors here are of test/one, and test/two is configured: run "keepsake re-embed".',
    });
    expect(await memory.search('pet')).toEqual([]);
    expect(contents(await memory.search('kitten'))).toEqual(['My kitten sleeps']);
    await expect(embedder.drain()).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('keepsake re-embed'),
    });
    expect(await embedder.reEmbed()).toEqual({
      ...{ model: 'test/two', previous: 'test/one', switched: true, made: 1, kept: 0, missing: 0 },
    });
    expect((await memory.search('pet'))[0]).toMatchObject({ factors: { similarity: 1 } });
    expect(await memory.search('city')).toEqual([]);
    expect(await embedder.health()).toMatchObject({ embedded: 1, waiting: 0, foreign: 0, problem: null });
  });

  it('under the name of another is refused, and nothing is lost by that', async () => {
    const workspace = testWorkspace();
    const first = workspace.open({ embedding: topicModel() });
    await first.agent({ name: 'alice' }).memory.add({ content: 'My kitten sleeps' });
    await first.agent({ name: 'alice' }).memory.search('pet');
    await first.close();
    const second = workspace.open({ embedding: topicModel({ dimensions: 8 }) });
    const { memory } = second.agent({ name: 'alice' });
    expect(await memory.add({ content: 'My dog barks' })).toMatchObject({ outcome: 'added' });
    expect(contents(await memory.search('kitten'))).toEqual(['My kitten sleeps']);
    expect(await memory.search('pet')).toEqual([]);
    expect(await (await second.open()).embedder.health()).toMatchObject({
      problem: expect.stringContaining('5 dimensions here, not 8'),
    });
    await expect((await second.open()).embedder.drain()).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('keepsake re-embed'),
    });
  });
});
