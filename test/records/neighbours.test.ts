/** An answer is found through the question before it: in its thread, for its reader, within the filter. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent } from '../fixtures/workspace.ts';

const WORDS_ONLY = { config: { models: { embedding: 'none' } } };
const contents = (hits: readonly { content: string }[]): string[] => hits.map((hit) => hit.content);

const QUESTION = 'Which restaurant shall we book for the birthday?';
const ANSWER = 'Trattoria Stella, as always.';

describe.each([
  ['words only', WORDS_ONLY],
  ['the default model', {}],
])('with %s', (_, options) => {
  it('an answer without a shared word is found through the question before it', async () => {
    const { memory } = testAgent(options);
    for (const content of [
      'Good morning!',
      QUESTION,
      ANSWER,
      'Fine with me.',
      'And the train leaves at noon.',
    ]) {
      await memory.add({ content, thread: 'chat' });
    }
    const hits = await memory.search('restaurant birthday');
    expect(contents(hits).slice(0, 2).toSorted()).toEqual([ANSWER, QUESTION].toSorted());
    const answer = hits.find((hit) => hit.content === ANSWER)!;
    expect(answer.factors).toMatchObject({ coverage: 0 });
    expect(answer.factors.context).toBeGreaterThan(0);
    expect(answer.explain).toContain('its neighbours in the thread match');
    const [question] = hits.filter((hit) => hit.content === QUESTION);
    expect(question!.factors.coverage).toBe(1);
  });

  it('the same turns without a thread, or in different ones, lend each other nothing', async () => {
    const { memory } = testAgent(options);
    await memory.add({ content: QUESTION, thread: 'one' });
    await memory.add({ content: ANSWER, thread: 'two' });
    await memory.add({ content: ANSWER });
    await memory.add({ content: QUESTION });
    await memory.add({ content: 'Fine with me.' });
    for (const hit of await memory.search('restaurant birthday', { minRelevance: 0 })) {
      expect(hit.factors.context).toBe(0);
      expect(hit.content).not.toBe('Fine with me.');
    }
  });
});

describe('lines of a conversation that were stored without a thread', () => {
  const LINES = [
    'Anna: Good morning!',
    'Ben: Which restaurant shall we book for the birthday?',
    'Anna: Trattoria Stella, as always.',
    'Ben: Fine with me.',
    'Anna: And the train leaves at noon.',
  ];
  const answer = async (lines: readonly string[], pause = 0) => {
    const { memory, clock } = testAgent(WORDS_ONLY);
    for (const content of lines) {
      await memory.add({ content });
      clock.advance(pause);
    }
    const hits = await memory.search('restaurant birthday', { minRelevance: 0 });
    return hits.find(({ content }) => content.includes('Stella'));
  };

  it('lend each other context', async () => {
    expect((await answer(LINES))?.explain).toContain('its neighbours match');
    expect((await answer(LINES.map((line) => `[3 May] ${line}`)))?.factors.context).toBeGreaterThan(0);
  });

  it('lend none across a day', async () => {
    expect(await answer(LINES, DAY)).toBe(undefined);
  });

  it('lend none when they only look like lines', async () => {
    const notes = LINES.map((line) => line.replace(/^\w+/, 'Note'));
    // Borrowed words may bring it; its neighbours may not.
    expect((await answer(notes))?.factors.context ?? 0).toBe(0);
    const labels = ['Name', 'Party', 'Place', 'Mood', 'Train'];
    const list = LINES.map((line, i) => line.replace(/^\w+/, labels[i]!));
    expect((await answer(list))?.factors.context ?? 0).toBe(0);
  });
});

describe('a neighbour', () => {
  it('of another agent is none, even in a thread of the same name', async () => {
    const { client, memory } = testAgent(WORDS_ONLY);
    const bob = client.agent({ name: 'bob' }).memory;
    await memory.add({ content: QUESTION, thread: 'chat' });
    await bob.add({ content: ANSWER, thread: 'chat', scope: 'swarm' });
    await bob.add({ content: 'A private word', thread: 'chat' });
    expect(contents(await memory.search('restaurant birthday', { minRelevance: 0 }))).toEqual([QUESTION]);
    expect(contents(await client.memory.search('restaurant birthday', { minRelevance: 0 }))).toEqual([
      QUESTION,
    ]);
  });

  it('that the reader may not see is none', async () => {
    const { client, memory } = testAgent(WORDS_ONLY);
    const bob = client.agent({ name: 'bob' }).memory;
    await bob.add({ content: QUESTION, thread: 'chat', scope: 'swarm' });
    await bob.add({ content: 'The secret answer', thread: 'chat' });
    await bob.add({ content: 'The open answer', thread: 'chat', scope: 'swarm' });
    expect(contents(await memory.search('restaurant birthday', { minRelevance: 0 })).toSorted()).toEqual(
      [QUESTION, 'The open answer'].toSorted(),
    );
    expect(await bob.search('restaurant birthday', { minRelevance: 0 })).toHaveLength(3);
  });

  it('outside of the filter is none', async () => {
    const { memory, clock } = testAgent(WORDS_ONLY);
    await memory.add({ content: QUESTION, thread: 'chat', tags: ['t'], category: 'talk' });
    clock.advance(1_000);
    const since = clock.now();
    await memory.add({ content: ANSWER, thread: 'chat', confidence: 0.5 });
    const found = async (filter: object) =>
      contents(await memory.search('restaurant birthday', { ...filter, minRelevance: 0 }));
    expect(await found({})).toEqual(expect.arrayContaining([QUESTION, ANSWER]));
    for (const filter of [{ tags: ['t'] }, { category: 'talk' }, { minConfidence: 0.9 }, { before: since }]) {
      expect(await found(filter)).toEqual([QUESTION]);
    }
    expect(await found({ since })).toEqual([]);
  });

  it('that has expired or was forgotten is none', async () => {
    const { memory, clock } = testAgent(WORDS_ONLY);
    await memory.add({ content: QUESTION, thread: 'chat' });
    const gone = await memory.add({ content: ANSWER, thread: 'chat' });
    await memory.add({ content: 'Fine with me.', thread: 'chat', expiresAt: clock.now() + 10 });
    await memory.forget(gone.id);
    clock.advance(10);
    expect(contents(await memory.search('restaurant birthday', { minRelevance: 0 }))).toEqual([QUESTION]);
  });

  it('of the past is one that was there then', async () => {
    const { memory, clock } = testAgent(WORDS_ONLY);
    await memory.add({ content: QUESTION, thread: 'chat' });
    const then = clock.now();
    clock.advance(DAY);
    const later = await memory.add({ content: ANSWER, thread: 'chat' });
    expect(contents(await memory.search('restaurant birthday', { asOf: then, minRelevance: 0 }))).toEqual([
      QUESTION,
    ]);
    const before = clock.now();
    clock.advance(DAY);
    await memory.update(later.id, { content: 'Pizzeria Luna this time.' });
    const found = contents(await memory.search('restaurant birthday', { asOf: before, minRelevance: 0 }));
    expect(found).not.toContain('Pizzeria Luna this time.');
  });
});
