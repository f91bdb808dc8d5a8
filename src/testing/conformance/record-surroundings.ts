/** What stood beside a record, what it said before it changed, and what took its place. */
import type { NeighbourQuery, RecordStore } from '../../ports/record-store.ts';
import {
  ADMIN,
  ALICE,
  addRecord,
  BOB,
  context,
  listed,
  NO_CAP,
  recordDraft,
  START,
  updateRecord,
} from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

/** Ids before and after a record, nearest first; undefined when the store knows of no thread. */
async function beside(records: RecordStore, id: string, query: Partial<NeighbourQuery> = {}) {
  const found = await records.neighbours({
    viewer: ADMIN,
    now: START,
    filter: {},
    ids: [id],
    reach: 2,
    ...query,
  });
  const neighbours = found.get(id);
  return neighbours && [neighbours.before.map((each) => each.id), neighbours.after.map((each) => each.id)];
}

async function thread(records: RecordStore, count: number, fields: Parameters<typeof addRecord>[1] = {}) {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    ids.push((await addRecord(records, { thread: 'talk', content: `turn ${i}`, ...fields })).id);
  }
  return ids;
}

async function past(records: RecordStore, at: number, viewer = ADMIN, filter = {}): Promise<string[]> {
  const found = await records.changedSince({ viewer, filter, at, limit: 1_000 });
  return found.map((record) => record.content);
}

/** Adds a record in the place of another. */
function supersede(
  records: RecordStore,
  supersedes: string,
  fields: Parameters<typeof recordDraft>[0] = {},
  at = START + 10,
  viewer = ALICE,
) {
  return records.add(recordDraft(fields), { maxFacts: NO_CAP, supersedes }, context(viewer, at));
}

export const recordSurroundings: Themes<StoreOf<'records'>> = {
  'neighbours in a thread': {
    'come nearest first, from both sides, as far as was asked': async ({ store: { records }, expect }) => {
      const [a, b, c, d, e] = (await thread(records, 5)) as [string, string, string, string, string];
      expect(await beside(records, c)).toEqual([
        [b, a],
        [d, e],
      ]);
      expect(await beside(records, c, { reach: 1 })).toEqual([[b], [d]]);
      expect(await beside(records, a)).toEqual([[], [b, c]]);
      expect(await beside(records, e)).toEqual([[d, c], []]);
    },

    'are whole records, for several at once': async ({ store: { records }, expect }) => {
      const ids = await thread(records, 3);
      const found = await records.neighbours({ viewer: ADMIN, now: START, filter: {}, ids, reach: 1 });
      expect([...found.keys()].toSorted()).toEqual(ids.toSorted());
      expect(found.get(ids[1]!)?.before[0]).toEqual(await records.get(ids[0]!, ADMIN, START));
    },

    'are of the same thread': async ({ store: { records }, expect }) => {
      const [a] = (await thread(records, 1)) as [string];
      await addRecord(records, { thread: 'other', content: 'of another' });
      await addRecord(records, { content: 'of none' });
      const [b] = (await thread(records, 1, { content: 'later' })) as [string];
      expect(await beside(records, a)).toEqual([[], [b]]);
    },

    'are of the same agent': async ({ store: { records }, expect }) => {
      const [a] = (await thread(records, 1)) as [string];
      await addRecord(records, { thread: 'talk', agent: 'bob', scope: 'swarm' });
      expect(await beside(records, a)).toEqual([[], []]);
      expect(await beside(records, a, { viewer: ALICE })).toEqual([[], []]);
    },

    'are those without a thread for one that has none': async ({ store: { records }, expect }) => {
      const { id: a } = await addRecord(records, { content: 'first' });
      await thread(records, 1);
      await addRecord(records, { content: 'of somebody else', agent: 'bob', scope: 'swarm' });
      const { id: b } = await addRecord(records, { content: 'second' });
      const { id: c } = await addRecord(records, { content: 'third' });
      expect(await beside(records, a)).toEqual([[], [b, c]]);
      expect(await beside(records, c)).toEqual([[b, a], []]);
      expect(await beside(records, b, { reach: 1 })).toEqual([[a], [c]]);
    },

    'are none of what does not exist': async ({ store: { records }, expect }) => {
      expect(await beside(records, 'mem_none')).toBe(undefined);
      expect(
        (await records.neighbours({ viewer: ADMIN, now: START, filter: {}, ids: [], reach: 2 })).size,
      ).toBe(0);
    },

    'are only those that the viewer may see': async ({ store: { records }, expect }) => {
      const [open, secret] = [
        (await thread(records, 1, { scope: 'swarm' }))[0]!,
        (await thread(records, 1, { content: 'secret' }))[0]!,
      ];
      const later = (await thread(records, 1, { scope: 'swarm', content: 'later' }))[0]!;
      expect(await beside(records, open, { viewer: BOB })).toEqual([[], [later]]);
      expect(await beside(records, open, { viewer: ALICE })).toEqual([[], [secret, later]]);
      expect(await beside(records, secret, { viewer: BOB })).toBe(undefined);
    },

    'keep to the filter': async ({ store: { records }, expect }) => {
      const [a] = (await thread(records, 1)) as [string];
      await thread(records, 1, { content: 'unwanted' });
      const [c] = (await thread(records, 1, { category: 'wanted', tags: ['t'] })) as [string];
      expect(await beside(records, a, { filter: { categories: ['wanted'] } })).toEqual([[], [c]]);
      expect(await beside(records, a, { filter: { tags: ['t'] }, reach: 1 })).toEqual([[], [c]]);
      expect(await beside(records, a, { filter: { categories: ['none'] } })).toEqual([[], []]);
    },

    'are only those that live, to the millisecond': async ({ store: { records }, expect }) => {
      const [a, b] = (await thread(records, 2, { expiresAt: START + 10 })) as [string, string];
      const [c] = (await thread(records, 1, { content: 'to be forgotten' })) as [string];
      await records.forget(c, context());
      expect(await beside(records, a, { now: START + 9 })).toEqual([[], [b]]);
      expect(await beside(records, a, { now: START + 10 })).toEqual([[], []]);
      expect(await beside(records, c)).toBe(undefined);
    },
  },

  'the thread of a record': {
    'makes the same words another record': async ({ store: { records }, expect }) => {
      const add = (where: string | null) =>
        records.add(recordDraft({ content: 'same', thread: where }), { maxFacts: NO_CAP }, context());
      const outcomes: string[] = [];
      for (const where of ['one', 'two', null, 'one', 'two', null]) outcomes.push((await add(where)).outcome);
      expect(outcomes).toEqual(['added', 'added', 'added', 'duplicate', 'duplicate', 'duplicate']);
      expect(await listed(records, { filter: { thread: 'one' } })).toMatchObject({ length: 1 });
      expect(await listed(records)).toMatchObject({ length: 3 });
    },

    'stays when it changes': async ({ store: { records }, expect }) => {
      const [a, b] = (await thread(records, 2)) as [string, string];
      await updateRecord(records, b, { content: 'changed' });
      expect(await beside(records, a)).toEqual([[], [b]]);
      const again = recordDraft({ thread: 'talk', content: 'changed' });
      expect((await records.add(again, { maxFacts: NO_CAP }, context())).outcome).toBe('duplicate');
    },

    'is forgotten with it': async ({ store: { records }, expect }) => {
      const [a] = (await thread(records, 1)) as [string];
      await records.forget(a, context());
      expect((await records.get(a, ADMIN, START))?.thread).toBe(null);
    },
  },

  'records that have changed since a time': {
    'are as they were then': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one', tags: ['a'] });
      await updateRecord(records, id, { content: 'two', tags: ['b'] }, START + 10);
      await updateRecord(records, id, { content: 'three' }, START + 20);
      expect(await past(records, START - 1)).toEqual([]);
      expect(await past(records, START)).toEqual(['one']);
      expect(await past(records, START + 9)).toEqual(['one']);
      expect(await past(records, START + 10)).toEqual(['two']);
      expect(await past(records, START + 19)).toEqual(['two']);
      expect(await past(records, START + 20)).toEqual([]);
      const [record] = await records.changedSince({ viewer: ADMIN, filter: {}, at: START, limit: 1 });
      expect(record).toMatchObject({ id, version: 1, updatedAt: START, tags: ['a'], state: 'live' });
    },

    'are not those that have not': async ({ store: { records }, expect }) => {
      await addRecord(records, { content: 'never changed' });
      await addRecord(records, { content: 'later' }, START + 20);
      expect(await past(records, START + 10)).toEqual([]);
    },

    'are those that the viewer may see, now and then': async ({ store: { records }, expect }) => {
      const { id: shared } = await addRecord(records, { content: 'was shared', scope: 'swarm' });
      const { id: secret } = await addRecord(records, { content: 'was private' });
      await updateRecord(records, shared, { scope: 'agent' }, START + 10);
      await updateRecord(records, secret, { scope: 'swarm' }, START + 10);
      expect(await past(records, START, BOB)).toEqual([]);
      expect((await past(records, START, ALICE)).toSorted()).toEqual(['was private', 'was shared']);
    },

    'are filtered as they were then': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one', category: 'then', confidence: 0.9 });
      await updateRecord(records, id, { category: 'now', confidence: 0.1 }, START + 10);
      expect(await past(records, START, ADMIN, { categories: ['then'], minConfidence: 0.5 })).toEqual([
        'one',
      ]);
      expect(await past(records, START, ADMIN, { categories: ['now'] })).toEqual([]);
    },

    'are those that were not over by then': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'short', expiresAt: START + 5 });
      await updateRecord(records, id, { expiresAt: null }, START + 10);
      expect(await past(records, START + 4)).toEqual(['short']);
      expect(await past(records, START + 5)).toEqual([]);
    },

    'hold since they are said to': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'told late', validFrom: START - 100 });
      await updateRecord(records, id, { content: 'changed' }, START + 10);
      expect(await past(records, START - 100)).toEqual(['told late']);
      expect(await past(records, START - 101)).toEqual([]);
    },

    'are gone when they are forgotten': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one' });
      await updateRecord(records, id, { content: 'two' }, START + 10);
      await records.forget(id, context(ALICE, START + 20));
      expect(await past(records, START)).toEqual([]);
    },

    'come no more than were asked for, newest first': async ({ store: { records }, expect }) => {
      for (const content of ['a', 'b', 'c']) {
        const { id } = await addRecord(records, { content });
        await updateRecord(records, id, { tags: ['new'] }, START + 10);
      }
      expect(await past(records, START)).toEqual(['c', 'b', 'a']);
      const some = await records.changedSince({ viewer: ADMIN, filter: {}, at: START, limit: 2 });
      expect(some.map((record) => record.content)).toEqual(['c', 'b']);
    },
  },

  'a record in the place of another': {
    'ends it and points to it': async ({ store: { records }, expect }) => {
      const { id: old } = await addRecord(records, { content: 'old' });
      const { record } = await supersede(records, old, { content: 'new' });
      expect(record).toMatchObject({ supersedes: old, supersededBy: null });
      expect(await records.get(record.id, ADMIN, START + 10)).toEqual(record);
      expect(await records.get(old, ADMIN, START + 10)).toMatchObject({
        state: 'expired',
        expiryReason: 'superseded',
        expiresAt: START + 10,
        supersededBy: record.id,
      });
      expect(await listed(records, { now: START + 10 })).toEqual([record.id]);
      expect(await listed(records, { now: START + 9, filter: { heldAt: START + 9 } })).toEqual([old]);
      expect(await listed(records, { now: START + 10, filter: { heldAt: START + 10 } })).toEqual([record.id]);
    },

    'ends it when it begins to hold': async ({ store: { records }, expect }) => {
      const { id: old } = await addRecord(records, { content: 'old', validFrom: START - 100 });
      await supersede(records, old, { content: 'new', validFrom: START - 50 });
      expect((await records.get(old, ADMIN, START))?.expiresAt).toBe(START - 50);
      const { id: other } = await addRecord(records, { content: 'other old' });
      await supersede(records, other, { content: 'other new', validFrom: START - 50 });
      expect((await records.get(other, ADMIN, START))?.expiresAt).toBe(START);
    },

    'needs one that is there and may be changed': async ({ store: { records }, expect }) => {
      const { id: foreign } = await addRecord(records, { agent: 'bob' });
      const { id: lent } = await addRecord(records, { agent: 'bob', scope: 'swarm' });
      const { id: gone } = await addRecord(records);
      await records.forget(gone, context());
      const before = await listed(records);
      const codes: string[] = [];
      for (const id of ['mem_none', foreign, lent, gone]) {
        codes.push((await failure(supersede(records, id, { content: `instead of ${id}` }))).code);
      }
      expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'FORGOTTEN']);
      expect(await listed(records, { now: START + 10 })).toEqual(before);
    },

    'leaves the other one’s past as it was': async ({ store: { records }, expect }) => {
      const { id: old } = await addRecord(records, { content: 'one' });
      await updateRecord(records, old, { content: 'two' }, START + 5);
      await supersede(records, old, { content: 'three' }, START + 10);
      expect(await past(records, START)).toEqual(['one']);
      expect((await records.history(old, ADMIN)).map((version) => version.content)).toEqual(['one', 'two']);
    },

    'does not let it come back to life, and leaves the rest of it open to change': async ({
      store: { records },
      expect,
    }) => {
      const { id: old } = await addRecord(records, { content: 'one' });
      await updateRecord(records, old, { content: 'two' }, START + 5);
      const { record } = await supersede(records, old, { content: 'three' }, START + 10);
      for (const expiresAt of [null, START + 20, START + 30, START + 5]) {
        const error = await failure(updateRecord(records, old, { expiresAt }, START + 20));
        expect([error.code, error.details]).toEqual(['CONFLICT', { id: old, supersededBy: record.id }]);
      }
      const ended = { state: 'expired', expiryReason: 'superseded', expiresAt: START + 10 };
      expect(await records.get(old, ADMIN, START + 20)).toMatchObject({ ...ended, version: 2 });
      const { record: changed } = await updateRecord(
        records,
        old,
        { content: 'two and a half', expiresAt: START + 10 },
        START + 20,
      );
      expect(changed).toMatchObject({ ...ended, content: 'two and a half', version: 3 });
      // The versions before had no end; to go back to their text does not take away the one that it has now.
      const { record: undone } = await records.revert(
        old,
        1,
        { maxFacts: NO_CAP },
        context(ALICE, START + 30),
      );
      expect(undone).toMatchObject({ ...ended, content: 'one', version: 4 });
      expect(await listed(records, { now: START + 30 })).toEqual([record.id]);
      expect((await records.agents())[0]?.facts).toBe(1);
    },

    'takes its place under the cap': async ({ store: { records }, expect }) => {
      const { id: old } = await addRecord(records, { content: 'old' });
      await addRecord(records, { content: 'second' });
      const { pruned } = await records.add(
        recordDraft({ content: 'new' }),
        { maxFacts: 2, supersedes: old },
        context(),
      );
      expect(pruned).toEqual([]);
      expect((await records.agents())[0]?.facts).toBe(2);
    },
  },
};
