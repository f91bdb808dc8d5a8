/** Small scopes: the same records are found as by the indexes of the store, and nothing depends on what others have. */
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { Viewer } from '../../../src/kernel/scope.ts';
import type { RecordFilter, SearchReads } from '../../../src/ports/record-store.ts';
import { SmallScopes } from '../../../src/records/search/small-scope.ts';
import { TermCounter } from '../../../src/records/search/term-counts.ts';
import { addRecord, context, START } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

const WORDS = 'tea coffee milk bread train night lisbon porto dog cat red blue'.split(' ');
const AGENTS = ['alice', 'bob'];
const USERS = [null, 'dana', 'Dana', 'org/42/'];
const LATER = START + 1_000;

async function filled() {
  const storage = await openSqlite({ file: `${temporaryFolder()}/k.db` });
  onTestFinished(() => storage.close());
  let state = 7;
  const random = (below: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const some = <T>(of: readonly T[]): T => of[random(of.length)]!;
  const vectors = { model: 'test', dimensions: 4 };
  for (let i = 0; i < 200; i++) {
    const record = await addRecord(storage.records, {
      agent: some(AGENTS),
      user: some(USERS),
      scope: some(['agent', 'agent', 'swarm'] as const),
      category: some(['fact', 'preference']),
      tags: random(4) === 0 ? [some(WORDS)] : [],
      content: `${Array.from({ length: 2 + random(6) }, () => some(WORDS)).join(' ')} ${i}`,
      expiresAt: random(8) === 0 ? START + 10 : null,
    });
    const vector = Float32Array.from({ length: vectors.dimensions }, () => random(100) - 50);
    await storage.records.vectors.save(vectors.model, [{ id: record.id, version: 1, vector }]);
    if (random(10) === 0) await storage.records.forget(record.id, context({ role: 'admin' }));
  }
  return storage.records;
}

const VIEWERS: readonly Viewer[] = [
  { agent: 'alice', role: 'worker' },
  { agent: 'alice', user: 'dana', role: 'worker' },
  { agent: 'bob', user: 'Dana', role: 'reader' },
  { agent: 'nobody', user: 'org/42/', role: 'worker' },
  { user: 'dana', role: 'worker' },
];
const FILTERS: readonly RecordFilter[] = [
  {},
  { categories: ['preference'] },
  { tags: ['tea'] },
  { scopes: ['swarm'] },
  { agent: 'bob' },
];

const found = async (reads: SearchReads, viewer: Viewer, filter: RecordFilter) => {
  const query = { viewer, filter, now: LATER, limit: 1_000 };
  const embedding = { model: 'test', vector: Float32Array.of(1, 2, 3, 4) };
  const words = await reads.searchText({ ...query, terms: ['tea', 'lisbon', 'absent'] });
  const near = await reads.vectors.search({ ...query, embedding });
  return {
    statistics: await reads.termStatistics([...WORDS, 'prefer', 'fact', 'absent'], viewer),
    words: words.map(({ record }) => record.id).sort(),
    near: near.map(({ record, similarity }) => [record.id, similarity.toFixed(5)]),
  };
};

it('finds the same records, by words and by meaning, and counts the same words', async () => {
  const store = await filled();
  const scopes = new SmallScopes(store, new TermCounter());
  for (const viewer of VIEWERS)
    for (const filter of FILTERS) {
      const scope = await scopes.of(viewer);
      expect(await found(scope!, viewer, filter)).toEqual(await found(store, viewer, filter));
    }
});

it('reads again what has changed, for whoever sees it', async () => {
  const store = await filled();
  const scopes = new SmallScopes(store, new TermCounter());
  const [, dana] = VIEWERS;
  const hits = async () =>
    (
      await (await scopes.of(dana!))!.searchText({
        ...{ viewer: dana!, filter: {}, now: LATER, limit: 9 },
        terms: ['quokka'],
      })
    ).map(({ record }) => record.content);
  expect(await hits()).toEqual([]);
  const { id } = await addRecord(store, { agent: 'alice', user: 'dana', content: 'a quokka' });
  await addRecord(store, { agent: 'alice', user: 'Dana', content: 'a quokka of somebody else' });
  expect(await hits()).toEqual(['a quokka']);
  await store.update(id, { content: 'the quokka' }, { maxFacts: 1_000 }, context(dana));
  expect(await hits()).toEqual(['the quokka']);
  await store.forget(id, context(dana));
  expect(await hits()).toEqual([]);
});

it('leaves the owner of the workspace, and whoever sees too much, to the indexes', async () => {
  const store = await filled();
  expect(await store.scopeOf!({ role: 'admin' })).toBe(undefined);
  for (let i = 0; i < 520; i++) await addRecord(store, { agent: 'alice', content: `much ${i}` });
  expect(await store.scopeOf!({ agent: 'alice', role: 'worker' })).toBe(undefined);
  expect(await store.scopeOf!({ agent: 'alice', user: 'dana', role: 'worker' })).toBe(undefined);
  expect(await store.scopeOf!({ agent: 'bob', user: 'dana', role: 'worker' })).not.toBe(undefined);
});

it('leaves long texts to the indexes, however few they are', async () => {
  const store = await filled();
  const dana: Viewer = { agent: 'carol', user: 'dana', role: 'worker' };
  const long = (fields: object) =>
    addRecord(store, { ...fields, agent: 'carol', content: 'tea '.repeat(2 ** 17) });
  await long({ user: 'dana' });
  expect(await store.scopeOf!(dana)).not.toBe(undefined);
  await long({});
  expect(await store.scopeOf!(dana)).toBe(undefined);
  expect(await store.scopeOf!({ agent: 'carol', role: 'worker' })).not.toBe(undefined);
  expect(await store.scopeOf!(dana)).toBe(undefined);
});

it('a user among 300 others finds exactly what the same user finds alone', async () => {
  const ask = async (others: number) => {
    const client = testWorkspace().open();
    const texts = [
      ...['Lives in Lisbon', 'Takes the night train to Porto', 'Has a dog called Rex', 'Likes green tea'],
      ...['Works on invoices', 'Prefers short answers', 'The dog is afraid of trains'],
    ];
    const { memory } = client.agent({ name: 'support', user: 'dana' });
    for (const content of texts) await memory.add({ content });
    const adds = Array.from({ length: others }, (_, i) =>
      client
        .agent({ name: 'support', user: `other-${i}` })
        .memory.add({ content: `${texts[i % texts.length]} in Porto, ${i}` }),
    );
    await Promise.all(adds);
    const answers = [];
    for (const question of ['Where does she live?', 'dog', 'night train to Porto', 'what to drink']) {
      const hits = await memory.search(question, { limit: 5 });
      answers.push(hits.map(({ content, relevance }) => [content, relevance]));
    }
    await client.close();
    return answers;
  };
  const alone = await ask(0);
  expect(alone.flat().length).toBeGreaterThan(4);
  expect(await ask(300)).toEqual(alone);
});
