/** Vectors of records: found by their nearness, as long as they belong to the text, by those who may see it. */
import type { Embedding, RecordStore, VectorQuery } from '../../ports/record-store.ts';
import { ADMIN, ALICE, addRecord, BOB, context, listed, NO_CAP, START, updateRecord } from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

const MODEL = 'test:plane@1';
const OTHER = 'test:space@1';

/** A direction in the plane: 0 degrees is what most tests ask for. */
function at(degrees: number, model = MODEL): Embedding {
  const angle = (degrees * Math.PI) / 180;
  return { model, vector: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
}

const degreesOf = (similarity: number): number =>
  Math.round((Math.acos(Math.min(1, similarity)) * 180) / Math.PI);

async function near(records: RecordStore, query: Partial<VectorQuery> = {}): Promise<string[]> {
  const candidates = await records.vectors.search({
    viewer: ADMIN,
    now: START,
    filter: {},
    embedding: at(0),
    limit: 1_000,
    ...query,
  });
  return candidates.map(({ record }) => record.id);
}

async function waiting(records: RecordStore, model = MODEL): Promise<string[]> {
  return (await records.vectors.waiting(model, 1_000)).map(({ id }) => id);
}

export const recordVectors: Themes<StoreOf<'records'>> = {
  'nearest records': {
    'come best first, with their cosines': async ({ store: { records }, expect }) => {
      const ids: Record<number, string> = {};
      for (const angle of [60, 0, 120, 30]) {
        ids[angle] = (await addRecord(records, { embedding: at(angle) })).id;
      }
      const candidates = await records.vectors.search({
        viewer: ADMIN,
        now: START,
        filter: {},
        embedding: at(0),
        limit: 3,
      });
      expect(candidates.map(({ record }) => record.id)).toEqual([ids[0], ids[30], ids[60]]);
      expect(candidates.map(({ similarity }) => degreesOf(similarity))).toEqual([0, 30, 60]);
      expect(candidates[0]?.record).toEqual(await records.get(ids[0]!, ADMIN, START));
    },

    'that are equally near come newest first': async ({ store: { records }, expect }) => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) ids.unshift((await addRecord(records, { embedding: at(10) })).id);
      expect(await near(records)).toEqual(ids);
      expect(await near(records, { limit: 2 })).toEqual(ids.slice(0, 2));
    },

    'do not depend on the length of a vector': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, {
        embedding: { model: MODEL, vector: Float32Array.of(30, 40) },
      });
      const long = { model: MODEL, vector: Float32Array.of(0.003, 0.004) };
      const [candidate] = await records.vectors.search({
        viewer: ADMIN,
        now: START,
        filter: {},
        embedding: long,
        limit: 1,
      });
      expect(candidate?.record.id).toBe(id);
      expect(Math.abs((candidate?.similarity ?? 0) - 1) < 1e-6).toBe(true);
    },

    'without a direction are like nothing else': async ({ store: { records }, expect }) => {
      const { id: nothing } = await addRecord(records, {
        embedding: { model: MODEL, vector: new Float32Array(2) },
      });
      const { id: away } = await addRecord(records, { embedding: at(100) });
      const { id: close } = await addRecord(records, { embedding: at(80) });
      expect(await near(records)).toEqual([close, nothing, away]);
    },

    'are filtered before they are cut off': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { category: 'wanted', embedding: at(90) });
      await Promise.all(
        Array.from({ length: 40 }, (_, i) => addRecord(records, { embedding: at(i), scope: 'swarm' })),
      );
      expect(await near(records, { filter: { categories: ['wanted'] }, limit: 1 })).toEqual([id]);
      expect(await near(records, { filter: { categories: ['none'] }, limit: 1 })).toEqual([]);
    },

    'are those that the viewer may see': async ({ store: { records }, expect }) => {
      const { id: own } = await addRecord(records, { embedding: at(30) });
      const { id: shared } = await addRecord(records, { scope: 'swarm', embedding: at(20) });
      const { id: foreign } = await addRecord(records, { agent: 'bob', embedding: at(10) });
      const { id: lent } = await addRecord(records, { agent: 'bob', scope: 'swarm', embedding: at(0) });
      expect(await near(records, { viewer: ALICE })).toEqual([lent, shared, own]);
      expect(await near(records, { viewer: BOB })).toEqual([lent, foreign, shared]);
      expect(await near(records, { viewer: { role: 'lead' } })).toEqual([lent, shared]);
      expect(await near(records)).toEqual([lent, foreign, shared, own]);
      expect(await near(records, { filter: { agent: 'bob' } })).toEqual([lent, foreign]);
      expect(await near(records, { viewer: ALICE, filter: { agent: 'bob' } })).toEqual([lent]);
      expect(await near(records, { viewer: ALICE, filter: { scopes: ['agent'] } })).toEqual([own]);
      expect(await near(records, { viewer: ALICE, filter: { scopes: ['swarm'] } })).toEqual([lent, shared]);
      expect(await near(records, { filter: { scopes: [] } })).toEqual([]);
    },

    'are live, to the millisecond': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { embedding: at(0), expiresAt: START + 10 });
      expect(await near(records, { now: START + 9 })).toEqual([id]);
      expect(await near(records, { now: START + 10 })).toEqual([]);
    },

    'are found by another process at once': async ({ store: { records }, again, expect }) => {
      const other = (await again()).records;
      const { id: first } = await addRecord(records, { embedding: at(5) });
      expect(await near(other)).toEqual([first]);
      const { id: second } = await addRecord(records, { embedding: at(1) });
      expect(await near(other)).toEqual([second, first]);
      await updateRecord(records, first, { content: 'changed', embedding: at(0) });
      expect(await near(other)).toEqual([first, second]);
      await records.forget(second, context());
      expect(await near(other)).toEqual([first]);
      await updateRecord(other, first, { content: 'changed again' });
      expect(await near(records)).toEqual([]);
    },

    'can be many': async ({ store: { records }, expect }) => {
      await Promise.all(Array.from({ length: 300 }, (_, i) => addRecord(records, { embedding: at(i % 90) })));
      expect((await near(records, { limit: 250 })).length).toBe(250);
      expect(new Set(await near(records)).size).toBe(300);
    },
  },

  'the vector of a record': {
    'belongs to its text': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one', embedding: at(0) });
      await updateRecord(records, id, { tags: ['new'] });
      expect(await near(records)).toEqual([id]);
      await updateRecord(records, id, { content: 'two' });
      expect([await near(records), await waiting(records)]).toEqual([[], [id]]);
      await updateRecord(records, id, { content: 'three', embedding: at(50) });
      expect([await near(records), await waiting(records)]).toEqual([[id], []]);
      await records.revert(id, 1, { maxFacts: NO_CAP }, context());
      expect([await near(records), await waiting(records)]).toEqual([[], [id]]);
    },

    'is no part of the record': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one', embedding: at(0) });
      const { outcome, record } = await updateRecord(records, id, { content: 'two', embedding: at(1) });
      expect(['embedding' in record, outcome]).toEqual([false, 'updated']);
      expect((await updateRecord(records, id, { content: 'two', embedding: at(1) })).outcome).toBe(
        'unchanged',
      );
      const versions = await records.history(id, ADMIN);
      expect(versions.map((version) => ['embedding' in version, version.content])).toEqual([
        [false, 'one'],
        [false, 'two'],
      ]);
    },

    'follows it when it is shared and taken back': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { embedding: at(0) });
      expect(await near(records, { viewer: BOB })).toEqual([]);
      await updateRecord(records, id, { scope: 'swarm' });
      expect([await near(records, { viewer: BOB }), await near(records)]).toEqual([[id], [id]]);
      await updateRecord(records, id, { scope: 'agent' });
      expect([await near(records, { viewer: BOB }), await near(records)]).toEqual([[], [id]]);
      expect(await waiting(records)).toEqual([]);
    },

    'goes when it is forgotten': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { embedding: at(0) });
      const { id: late } = await addRecord(records);
      await records.forget(id, context());
      await records.forget(late, context());
      expect([await near(records), await waiting(records)]).toEqual([[], []]);
      expect(await records.vectors.similarities([id], at(0))).toEqual(new Map());
      expect(await records.vectors.backlog(MODEL)).toEqual({ embedded: 0, waiting: 0, foreign: 0 });
    },

    'stays when the same text is said again': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'same', embedding: at(0) });
      await addRecord(records, { content: 'same', pinned: true });
      expect([await near(records), await waiting(records)]).toEqual([[id], []]);
    },

    'that is not made of numbers is refused': async ({ store: { records }, expect }) => {
      for (const vector of [Float32Array.of(Number.NaN, 1), Float32Array.of(1, Infinity), new Float32Array()])
        expect((await failure(addRecord(records, { embedding: { model: MODEL, vector } }))).code).toBe(
          'INVALID_INPUT',
        );
      expect(await listed(records)).toEqual([]);
    },
  },

  'records that wait for a vector': {
    'come oldest first, page by page': async ({ store: { records }, expect }) => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) ids.push((await addRecord(records, { content: `text ${i}` })).id);
      const first = await records.vectors.waiting(MODEL, 2);
      expect(first).toEqual([
        { id: ids[0], version: 1, text: 'text 0' },
        { id: ids[1], version: 1, text: 'text 1' },
      ]);
      const rest = await records.vectors.waiting(MODEL, 10, ids[1]);
      expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(await records.vectors.waiting(MODEL, 10, ids[4])).toEqual([]);
    },

    'get it by saving it': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      expect(await records.vectors.save(MODEL, [{ id, version: 1, vector: at(0).vector }])).toBe(1);
      expect([await near(records), await waiting(records)]).toEqual([[id], []]);
      expect(await records.vectors.save(MODEL, [{ id, version: 1, vector: at(90).vector }])).toBe(1);
      expect(degreesOf((await records.vectors.similarities([id], at(0))).get(id) ?? 0)).toBe(90);
      expect(await records.vectors.backlog(MODEL)).toEqual({ embedded: 1, waiting: 0, foreign: 0 });
    },

    'get none for a text that they no longer have': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      const { id: gone } = await addRecord(records);
      await updateRecord(records, id, { content: 'another' });
      await records.forget(gone, context());
      const drafts = [id, gone, 'mem_none'].map((each) => ({ id: each, version: 1, vector: at(0).vector }));
      expect(await records.vectors.save(MODEL, drafts)).toBe(0);
      expect([await near(records), await waiting(records)]).toEqual([[], [id]]);
    },

    'are counted': async ({ store: { records }, expect }) => {
      await addRecord(records, { embedding: at(0) });
      await addRecord(records, { embedding: at(0, OTHER) });
      await addRecord(records);
      expect(await records.vectors.backlog(MODEL)).toEqual({ embedded: 1, waiting: 2, foreign: 1 });
      expect(await records.vectors.backlog('test:unknown@1')).toEqual({
        embedded: 0,
        waiting: 3,
        foreign: 2,
      });
    },
  },

  'vectors of different models': {
    'are never compared': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { embedding: at(0) });
      const { id: other } = await addRecord(records, { embedding: at(0, OTHER) });
      expect(await near(records)).toEqual([id]);
      expect(await near(records, { embedding: at(0, OTHER) })).toEqual([other]);
      expect(await near(records, { embedding: at(0, 'test:unknown@1') })).toEqual([]);
      expect([...(await records.vectors.similarities([id, other], at(0))).keys()]).toEqual([id]);
    },

    'replace each other': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { embedding: at(0) });
      const { id: second } = await addRecord(records);
      expect(await waiting(records, OTHER)).toEqual([id, second]);
      await records.vectors.save(OTHER, [{ id, version: 1, vector: at(0).vector }]);
      expect([await waiting(records, OTHER), await waiting(records)]).toEqual([[second], [id, second]]);
      expect([await near(records), await near(records, { embedding: at(0, OTHER) })]).toEqual([[], [id]]);
    },

    'cannot hide behind one name': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { embedding: at(0) });
      const vector = Float32Array.of(1, 0, 0);
      const embedding = { model: MODEL, vector };
      // One after the other: a failure that nobody waits for yet would end the process.
      const failures = [
        () => near(records, { embedding }),
        () => records.vectors.similarities([id], embedding),
        () => records.vectors.save(MODEL, [{ id, version: 1, vector }]),
        () => addRecord(records, { embedding }),
        () => updateRecord(records, id, { content: 'new', embedding }),
      ];
      for (const each of failures) expect((await failure(each())).code).toBe('CONFLICT');
      expect(await near(records)).toEqual([id]);
    },
  },
};
