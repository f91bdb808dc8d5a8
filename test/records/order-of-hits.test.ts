/** The order of hits depends on the question and on what the caller may see: not on `limit`, not on others, not on windows. */
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { testAgent } from '../fixtures/workspace.ts';

const WORDS_ONLY: ClientOptions = { config: { models: { embedding: 'none' } } };
const contents = (hits: readonly { content: string }[]): string[] => hits.map((hit) => hit.content);

const PEOPLE = ['Anna', 'Bela', 'Carla', 'Dario', 'Emil', 'Flora', 'Gregor', 'Hanna', 'Igor', 'Jana'];
const THINGS = ['roof', 'boat', 'oven', 'garden', 'bridge', 'carpet', 'engine', 'fence', 'clock', 'lamp'];
const VERBS = ['repairs', 'paints', 'sells', 'cleans', 'draws'];
const SENTENCES = PEOPLE.flatMap((who) =>
  VERBS.flatMap((verb) =>
    THINGS.map((what) => `${who} ${verb} the ${what} of ${who === 'Anna' ? 'Bela' : 'Anna'}`),
  ),
);

describe.each([
  ['by words', WORDS_ONLY],
  ['by meaning', {}],
])('%s', (_, options: ClientOptions) => {
  it('the first hits of a larger limit are the hits of a smaller one', async () => {
    const { memory, clock } = testAgent({ config: { memory: { maxEntries: 1_000 }, ...options.config } });
    for (const [i, sentence] of SENTENCES.entries()) {
      clock.advance(3_600_000);
      const content = `${sentence}${' and then tells everybody about it'.repeat(i % 5)}`;
      const { id } = await memory.add({ content, ...(i % 60 === 0 ? { category: 'preference' } : {}) });
      for (let opened = 0; opened < i % 50; opened += 10) await memory.get(id);
    }
    for (const query of [
      'Anna repairs the boat',
      'Who cleans a clock or a lamp?',
      'garden of Anna',
      'Bela',
    ]) {
      for (const more of [{}, { minRelevance: 0 }]) {
        const most = (await memory.search(query, { limit: 300, ...more })).map(({ id }) => id);
        expect(most.length).toBeGreaterThan(3);
        for (const limit of [1, 3, 10, 20, 50, 130])
          expect(
            (await memory.search(query, { limit, ...more })).map(({ id }) => id),
            `${query} ${limit}`,
          ).toEqual(most.slice(0, limit));
      }
    }
  });

  it('what another agent keeps for itself changes nothing', async () => {
    const { memory, client } = testAgent({ config: { memory: { maxEntries: 2_000 }, ...options.config } });
    for (const content of ['Anna wants to sell her harp', 'The harp is in the attic', 'Bob plays chess'])
      await memory.add({ content });
    const questions = ['Which museum shows an old harp?', 'harp', 'chess harp attic', 'Who plays harpp?'];
    const found = async () => {
      const all = [];
      for (const query of questions)
        all.push(
          (await memory.search(query)).map(({ id, relevance, score, explain }) => [
            id,
            relevance,
            score,
            explain,
          ]),
        );
      return all;
    };
    const alone = await found();
    expect(alone[1]).not.toEqual([]);
    const other = client.agent({ name: 'bob' }).memory;
    await Promise.all(
      Array.from({ length: 1_200 }, (_, i) =>
        other.add({ content: `harp museum ${SENTENCES[i % SENTENCES.length]} ${i}` }),
      ),
    );
    expect(await found()).toEqual(alone);
    // The same through the index in memory, which long-lived processes build.
    for (let i = 0; i < 30; i++) await memory.search('warm up');
    await expect.poll(found, { timeout: 20_000 }).toEqual(alone);
  });
});

it('thirty of equal worth do not hide the one that was opened often', async () => {
  const { memory, clock } = testAgent(WORDS_ONLY);
  const { id } = await memory.add({ content: 'quokka zero' });
  for (let i = 0; i < 36; i++) {
    clock.advance(1);
    await memory.add({ content: `quokka ${i + 100}` });
  }
  for (let i = 0; i < 10; i++) await memory.get(id);
  expect((await memory.search('quokka', { limit: 1 }))[0]!.id).toBe(id);
});

describe('a word that only a label holds', () => {
  it('is said to be a tag or a category, and counts less than one in the text', async () => {
    const { memory } = testAgent(WORDS_ONLY);
    await memory.add({ content: 'Restart it at night', tags: ['kubernetes'] });
    await memory.add({ content: 'Buy milk', category: 'kubernetes' });
    const text = 'We moved the whole shop with all its small services and their jobs to Kubernetes last year';
    await memory.add({ content: text });
    for (let i = 0; i < 5; i++) await memory.add({ content: `Something else ${i}` });
    const hits = await memory.search('kubernetes', { all: true });
    expect(hits[0]).toMatchObject({ content: text });
    expect(hits[0]!.explain).toContain('holds "kubernetes"');
    const explained = new Map(hits.map(({ content, explain }) => [content, explain]));
    expect(explained.get('Restart it at night')).toMatch(/^has the tag "kubernetes"\./);
    expect(explained.get('Buy milk')).toMatch(/^is of the category "kubernetes"\./);
  });
});

describe('a text that holds the whole question', () => {
  const README = (language: string, i: number) =>
    `${language} read me. Depot, depot, depot: install the depot, start the depot, stop the depot. ` +
    `Link ${language} badge build passing license version npm depot package ${i % 3}`;
  const filler = Array.from({ length: 60 }, (_, i) => `topic${i} detail${i % 7} matter${i % 11}`).join(' ');

  it.each([WORDS_ONLY, {}])('comes before near copies that repeat one of its words', async (options) => {
    const { memory } = testAgent(options);
    for (const [i, language] of [
      'English',
      'German',
      'French',
      'Dutch',
      'Polish',
      'Czech',
      'Danish',
    ].entries())
      await memory.add({ content: README(language, i) });
    await memory.add({
      content: `${filler} The keys of the Marlow building are kept at the depot. ${filler}`,
    });
    for (const content of SENTENCES.slice(0, 40)) await memory.add({ content });
    const [first] = await memory.search('marlow depot');
    expect(first!.content).toContain('Marlow');
  });

  it('comes first when it says it word for word, or has the name letter by letter', async () => {
    const { memory } = testAgent();
    await memory.add({
      content: 'Opening hours of the depot: the depot of the port has opening hours on Monday.',
    });
    const verbatim = `${filler} Opening hours of the port depot ${filler}`;
    await memory.add({ content: verbatim });
    await memory.add({ content: 'My key is under the mat, my other key is at work' });
    await memory.add({ content: 'key' });
    const literal =
      'export MY_KEY=abc in the file of the environment, before the server starts in the morning';
    await memory.add({ content: literal });
    expect((await memory.search('opening hours of the port depot'))[0]!.content).toBe(verbatim);
    expect((await memory.search('MY_KEY'))[0]!.content).toBe(literal);
    expect((await memory.search('where is MY_KEY set?'))[0]!.content).toBe(literal);
  });
});

describe('documents', () => {
  it('do not push memories out of a search, and their orders are nobody’s', async () => {
    const { memory } = testAgent(WORDS_ONLY);
    const fact = await memory.add({
      content: 'The release is cut by Priya, who was told to wait for the tests of the week',
    });
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        memory.add({
          content: `Always cut the release: release notes release ${i}`,
          source: 'knowledge',
          category: 'document',
        }),
      ),
    );
    const hits = await memory.search('release', { limit: 5 });
    expect(hits.slice(0, 2).map(({ id }) => id)).toContain(fact.id);
    expect(hits).toHaveLength(5);
    for (const { factors } of hits) expect(factors.orderBoost).toBe(1);
    expect(contents(await memory.search('release', { source: 'knowledge', limit: 3 }))).toHaveLength(3);
  });
});

it('short questions are answered', async () => {
  const { memory } = testAgent();
  for (const content of [
    'The app uses Redis as its cache',
    'Billing belongs to Priya',
    'Lena is allergic to peanuts',
    'Pull requests need two approvals',
  ])
    await memory.add({ content });
  for (const [query, content] of [
    ['which cache', 'The app uses Redis as its cache'],
    ['cache?', 'The app uses Redis as its cache'],
    ['who owns billing', 'Billing belongs to Priya'],
    ['allergies', 'Lena is allergic to peanuts'],
  ] as const)
    expect((await memory.search(query))[0]?.content, query).toBe(content);
});
