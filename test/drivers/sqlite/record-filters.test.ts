/** Filters find the same by every way, and cost what they find. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { openDatabase } from '../../../src/drivers/sqlite/open-database.ts';
import { isNarrow, recordBranches } from '../../../src/drivers/sqlite/record-where.ts';
import type { MemoryRecord } from '../../../src/kernel/record.ts';
import { maySee, type Viewer } from '../../../src/kernel/scope.ts';
import type { RecordFilter } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { matchesFilter } from '../../../src/records/rules/matches-filter.ts';
import { ADMIN, ALICE, BOB, NO_CAP, recordDraft, START } from '../../../src/testing/conformance/drafts.ts';
import { seededRandom } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const MODEL = 'test:model@1';
const RECORDS = 900;
const EVERYTHING = 10_000;
const TAGS = ['rare tag', 'Über-tag', 'common', '日本語', '🙂', "it's"];

const FILTERS: Readonly<Record<string, RecordFilter>> = {
  nothing: {},
  'a common category': { categories: ['fact'] },
  'rare categories, one of them twice': { categories: ['instruction', 'preference', 'instruction'] },
  'no category': { categories: [] },
  'more categories than branches': { categories: ['fact', ...Array.from({ length: 9 }, (_, i) => `c${i}`)] },
  ...Object.fromEntries(TAGS.map((tag) => [`the tag ${tag}`, { tags: [tag] }])),
  'two tags': { tags: ['rare tag', 'common'] },
  'a tag that is a word of another': { tags: ['rare'] },
  'a short time': { createdSince: START + 100, createdBefore: START + 130 },
  'a long time': { createdSince: START + 100 },
  'a thread': { thread: 'talk 3' },
  'what is pinned': { pinned: true },
  'what is not': { pinned: false },
  'an agent': { agent: 'bob', categories: ['instruction'] },
  'what is shared': { scopes: ['swarm'], categories: ['preference'] },
  documents: { sources: ['knowledge'] },
  'what held at a time': { heldAt: START + 200 },
  'a confidence': { minConfidence: 0.5 },
  'a source and a category': { sources: ['extracted'], categories: ['instruction'] },
};

async function filled(file: string, options: Partial<Parameters<typeof openSqlite>[0]>): Promise<Storage> {
  const storage = await openSqlite({ file, ...options });
  onTestFinished(() => storage.close());
  return storage;
}

async function fill({ records }: Storage): Promise<void> {
  const random = seededRandom(11);
  const rarely = () => random.below(30) === 0;
  const drafts = Array.from({ length: RECORDS }, () =>
    recordDraft({
      agent: random.pick(['alice', 'alice', 'bob']),
      scope: random.below(5) === 0 ? 'swarm' : 'agent',
      source: random.pick(['manual', 'extracted', 'knowledge']),
      confidence: random.pick([0.2, 0.5, 1]),
      category: rarely() ? random.pick(['instruction', 'preference']) : 'fact',
      content: `words ${random.below(40)} ${random.below(40)} ${random.below(40)}`,
      tags: [...(rarely() ? ['rare tag'] : []), ...(random.below(2) === 0 ? [random.pick(TAGS)] : [])],
      pinned: rarely(),
      thread: random.below(3) === 0 ? `talk ${random.below(40)}` : null,
      expiresAt: random.below(20) === 0 ? START : null,
      embedding: { model: MODEL, vector: Float32Array.from({ length: 8 }, () => random.next() - 0.5) },
    }),
  );
  await Promise.all(
    drafts.map((draft, i) =>
      records.add(
        { ...draft, tags: [...new Set(draft.tags)] },
        { maxFacts: NO_CAP },
        { at: START + i, viewer: { agent: draft.agent, role: 'worker' }, via: 'sdk' },
      ),
    ),
  );
}

type Found = { readonly record: MemoryRecord };

const named = <T extends Found>(found: readonly T[]) =>
  found.map(({ record, ...rest }): [id: string, rest: Omit<T, 'record'>] => [record.id, rest]);

/** What a filter should leave of everything. */
const left = <T extends Found>(found: readonly T[], viewer: Viewer, filter: RecordFilter) =>
  named(found.filter(({ record }) => maySee(viewer, record) && matchesFilter(record, filter)));

describe('a filter', () => {
  test('finds by words, by vectors and in lists what it would leave of everything', async () => {
    const file = join(temporaryFolder(), 'k.db');
    const [resident, plain] = [
      await filled(file, { textSearch: 'resident' }),
      await filled(file, { textSearch: 'fts5', vectorSearch: 'plain' }),
    ];
    await fill(plain);
    const now = START + RECORDS;
    const embedding = { model: MODEL, vector: Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8]) };
    const terms = ['word', '7', '11'];
    const all = { now, filter: {}, limit: EVERYTHING, viewer: ADMIN };
    const near = await plain.records.vectors.search({ ...all, embedding });
    const words = await plain.records.searchText({ ...all, terms });
    const listed = (await plain.records.list(all)).map((record) => ({ record }));
    expect(near.length).toBeGreaterThan(RECORDS / 2);
    for (const viewer of [ALICE, BOB, ADMIN, { role: 'worker' } as const]) {
      for (const [name, filter] of Object.entries(FILTERS)) {
        for (const { records } of [resident, plain]) {
          const query = { now, viewer, filter, limit: EVERYTHING };
          const message = `${name} for ${viewer.agent ?? viewer.role}`;
          const [byVector, byWords, inList] = [
            await records.vectors.search({ ...query, embedding }),
            await records.searchText({ ...query, terms }),
            (await records.list(query)).map((record) => ({ record })),
          ];
          expect(named(byVector), message).toEqual(left(near, viewer, filter));
          expect(named(byWords), message).toEqual(left(words, viewer, filter));
          expect(named(inList), message).toEqual(left(listed, viewer, filter));
        }
      }
    }
  });
});

describe('what a filter reads', () => {
  test('are rows of its own: an index leads to each of its parts', async () => {
    const database = await openDatabase({ file: join(temporaryFolder(), 'k.db'), busyTimeoutMs: 1_000 });
    onTestFinished(() => void database.close());
    const plan = (filter: RecordFilter, inOrder: boolean): string[] =>
      recordBranches(ALICE, filter, ['live'], START, { inOrder }).map(({ sql, values }) => {
        const order = inOrder ? 'ORDER BY r.rid DESC' : '';
        const steps = database
          .prepare(`EXPLAIN QUERY PLAN SELECT r.rid FROM records r WHERE ${sql} ${order} LIMIT 10`)
          .all(...values) as { detail: string }[];
        return steps.map(({ detail }) => detail).find((detail) => / r( |$)/.test(detail))!;
      });
    const narrow = Object.entries(FILTERS).filter(([, filter]) => isNarrow(ALICE, filter));
    expect(narrow.length).toBeGreaterThan(10);
    for (const [name, filter] of Object.entries(FILTERS)) {
      for (const inOrder of [true, false]) {
        for (const step of plan(filter, inOrder))
          expect(step, name).toMatch(/USING (?:INDEX|INTEGER PRIMARY KEY)/);
      }
    }
    const indexes = (filter: RecordFilter, inOrder: boolean) =>
      plan(filter, inOrder).map((step) => /USING INDEX (\w+)/.exec(step)?.[1]);
    const [own, shared] = ['records_by_category', 'records_shared_by_category'];
    expect(indexes({ categories: ['instruction', 'preference'] }, true)).toEqual([own, shared, own, shared]);
    expect(indexes({ pinned: true }, true)).toEqual(['records_pinned', 'records_shared_pinned']);
    expect(indexes({ sources: ['knowledge'] }, true)).toEqual([
      'records_documents',
      'records_shared_documents',
    ]);
    expect(indexes({ createdSince: 1, createdBefore: 2 }, false)[0]).toBe('records_by_time');
    expect(indexes({ thread: 'talk 3' }, true)[0]).toBe('records_by_thread');
    expect(plan({ tags: ['rare tag'] }, false)[0]).toMatch(/rowid=\?/);
  });
});
