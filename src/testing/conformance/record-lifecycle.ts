/** `live → expired → forgotten`: expiry to the millisecond, the cap on facts, and forgetting permanently. */
import type { RecordDraft, RecordStore } from '../../ports/record-store.ts';
import {
  ADMIN,
  ALICE,
  addRecord,
  context,
  found,
  listed,
  NO_CAP,
  recordDraft,
  START,
  updateRecord,
} from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

function addCapped(records: RecordStore, fields: Partial<RecordDraft>, maxFacts: number, at: number = START) {
  return records.add(recordDraft(fields), { maxFacts }, context(ALICE, at));
}

const expiry: Themes<StoreOf<'records'>>[string] = {
  'happens at its instant, not before and not later': async ({ store: { records }, expect }) => {
    const { id } = await addRecord(records, { content: 'ephemeral', expiresAt: START + 1_000 });
    expect(await found(records, ['ephemer'], { now: START + 999 })).toEqual([id]);
    expect(await listed(records, { now: START + 999 })).toEqual([id]);
    expect(await found(records, ['ephemer'], { now: START + 1_000 })).toEqual([]);
    expect(await listed(records, { now: START + 1_000 })).toEqual([]);
  },

  'leaves the record readable by id, and listed as expired': async ({ store: { records }, expect }) => {
    const { id } = await addRecord(records, { content: 'kept', expiresAt: START + 1 });
    expect(await records.get(id, ALICE, START + 10 ** 12)).toMatchObject({
      state: 'expired',
      expiryReason: 'ttl',
      content: 'kept',
    });
    expect(await listed(records, { now: START + 1, states: ['expired'] })).toEqual([id]);
    expect(await listed(records, { now: START + 1, states: ['live', 'forgotten'] })).toEqual([]);
    expect((await records.history(id, ALICE)).length).toBe(1);
  },

  'can be brought forward and taken back by an update': async ({ store: { records }, expect }) => {
    const { id } = await addRecord(records, { content: 'movable' });
    const ended = await updateRecord(records, id, { expiresAt: START + 5 }, START + 5);
    expect(ended.record).toMatchObject({ state: 'expired', expiryReason: 'manual' });
    expect(ended.events[0]).toMatchObject({ type: 'memory.wrote', change: 'expired' });
    const revived = await updateRecord(records, id, { expiresAt: null }, START + 6);
    expect(revived.record).toMatchObject({ state: 'live', expiryReason: null });
    expect(await found(records, ['movabl'], { now: START + 6 })).toEqual([id]);
  },
};

const cap: Themes<StoreOf<'records'>>[string] = {
  'prunes extracted before manual, then the least sure, then the least recently updated': async ({
    store: { records },
    expect,
  }) => {
    const order: Partial<RecordDraft>[] = [
      { source: 'extracted', confidence: 0.2 },
      { source: 'extracted', confidence: 0.9 },
      { source: 'manual', confidence: 0.1 },
      { source: 'manual', confidence: 0.5, content: 'updated long ago' },
      { source: 'manual', confidence: 0.5, content: 'updated lately' },
    ];
    const ids: string[] = [];
    // The one updated lately is the oldest, so that an order by creation would be noticed.
    for (const fields of order.toReversed()) ids.unshift((await addRecord(records, fields)).id);
    await updateRecord(records, ids[4]!, { tags: ['touched'] }, START + 50);
    for (const [index, expected] of ids.entries()) {
      const { record, pruned } = await addCapped(records, { content: `strong ${index}` }, 5, START + 100);
      expect(pruned).toEqual([expected]);
      expect(record.state).toBe('live');
    }
  },

  'names what it pruned, keeps it readable by id, and says why': async ({ store: { records }, expect }) => {
    const weak = await addRecord(records, { content: 'weakling', confidence: 0.1, category: 'c' });
    const { pruned, events } = await addCapped(records, { content: 'strong' }, 1, START + 1);
    expect(pruned).toEqual([weak.id]);
    expect(events.map((event) => event.type)).toEqual(['memory.wrote', 'memory.pruned']);
    expect(events[1]).toMatchObject({ id: weak.id, category: 'c', limit: 1, agent: 'alice' });
    expect(await found(records, ['weakl'], { now: START + 1 })).toEqual([]);
    expect(await records.get(weak.id, ALICE, START + 1)).toMatchObject({
      state: 'expired',
      expiryReason: 'maxEntries',
      content: 'weakling',
    });
  },

  'may prune the newcomer itself': async ({ store: { records }, expect }) => {
    await addRecord(records, { confidence: 0.9 });
    const { outcome, record, pruned } = await addCapped(records, { confidence: 0.1 }, 1);
    expect({ outcome, pruned, state: record.state }).toEqual({
      outcome: 'added',
      pruned: [record.id],
      state: 'expired',
    });
  },

  'never prunes what is pinned': async ({ store: { records }, expect }) => {
    const pinned = await addRecord(records, { pinned: true, confidence: 0, source: 'extracted' });
    await addRecord(records, { pinned: true });
    const { record, pruned } = await addCapped(records, { confidence: 1 }, 1);
    expect(pruned).toEqual([record.id]);
    expect((await records.get(pinned.id, ALICE, START))?.state).toBe('live');
  },

  'counts the facts of one agent only': async ({ store: { records }, expect }) => {
    for (const source of [
      'task_completion',
      'session_summary',
      'file_index',
      'knowledge',
      'swarm_result',
    ] as const) {
      await addRecord(records, { source });
    }
    await addRecord(records, { agent: 'bob' });
    expect((await addCapped(records, {}, 1)).pruned).toEqual([]);
    expect((await addCapped(records, { source: 'task_completion' }, 1)).pruned).toEqual([]);
  },

  'gives the places of expired and forgotten facts away': async ({ store: { records }, expect }) => {
    await addRecord(records, { expiresAt: START + 10 });
    const gone = await addRecord(records);
    await addRecord(records);
    await records.forget(gone.id, context());
    expect((await addCapped(records, {}, 2, START + 10)).pruned).toEqual([]);
    expect((await addCapped(records, {}, 2, START + 11)).pruned.length).toBe(1);
  },

  'holds for a fact that an update brings back to life': async ({ store: { records }, expect }) => {
    const old = await addRecord(records, { confidence: 0.9, expiresAt: START + 1 });
    const weak = await addRecord(records, { confidence: 0.1 });
    const { pruned } = await records.update(
      old.id,
      { expiresAt: null },
      { maxFacts: 1 },
      context(ALICE, START + 2),
    );
    expect(pruned).toEqual([weak.id]);
  },

  'makes room for all at once when it was lowered': async ({ store: { records }, expect }) => {
    for (let i = 0; i < 10; i++) await addRecord(records, { confidence: i / 10 });
    const { pruned } = await addCapped(records, {}, 3);
    expect(pruned.length).toBe(8);
    expect((await listed(records)).length).toBe(3);
  },
};

const forgetting: Themes<StoreOf<'records'>>[string] = {
  'erases the content, every version and the index, and says so': async ({ store: { records }, expect }) => {
    const { id } = await addRecord(records, { content: 'first words', tags: ['tag'], metadata: { m: 1 } });
    await updateRecord(records, id, { content: 'second words' });
    const erasure = await records.forget(id, context(ALICE, START + 9));
    expect(erasure).toMatchObject({ id, characters: 12, versions: 2, indexEntries: 1 });
    expect(erasure.events.length).toBe(1);
    expect(erasure.events[0]).toMatchObject({ type: 'memory.forgotten', id, agent: 'alice' });
    expect(await records.get(id, ALICE, START + 9)).toMatchObject({
      id,
      state: 'forgotten',
      forgottenAt: START + 9,
      content: '',
      tags: [],
      metadata: {},
    });
    expect(JSON.stringify(await records.history(id, ALICE)).includes('words')).toBe(false);
    expect(await found(records, ['first', 'second', 'word', 'tag'])).toEqual([]);
  },

  'leaves a trace only for those who ask for it': async ({ store: { records }, expect }) => {
    const { id } = await addRecord(records);
    await records.forget(id, context());
    expect(await listed(records)).toEqual([]);
    expect(await listed(records, { states: ['expired'] })).toEqual([]);
    expect(await listed(records, { states: ['forgotten'] })).toEqual([id]);
  },

  'cannot be taken back': async ({ store: { records }, expect }) => {
    const { id } = await addRecord(records);
    await updateRecord(records, id, { content: 'second' });
    await records.forget(id, context());
    expect((await failure(updateRecord(records, id, { content: 'third' }))).code).toBe('FORGOTTEN');
    const undo = records.revert(id, 1, { maxFacts: NO_CAP }, context());
    expect((await failure(undo)).code).toBe('FORGOTTEN');
    await records.countAccess([id], 'access', START);
    expect((await records.get(id, ADMIN, START))?.accessCount).toBe(0);
  },

  'does nothing the second time, and knows no unknown id': async ({ store: { records }, expect }) => {
    const { id } = await addRecord(records);
    await records.forget(id, context());
    expect(await records.forget(id, context(ALICE, START + 5))).toMatchObject({
      characters: 0,
      versions: 0,
      indexEntries: 0,
      events: [],
    });
    expect((await records.get(id, ALICE, START + 5))?.forgottenAt).toBe(START);
    expect((await failure(records.forget('mem_none', context()))).code).toBe('NOT_FOUND');
  },

  'works on what expired, and touches nothing else': async ({ store: { records }, expect }) => {
    const old = await addRecord(records, { content: 'stale words', expiresAt: START + 1 });
    const other = await addRecord(records, { content: 'other words' });
    await records.forget(old.id, context(ALICE, START + 2));
    expect(await listed(records, { states: ['forgotten'] })).toEqual([old.id]);
    expect(await found(records, ['word'])).toEqual([other.id]);
  },

  'takes many at once, all of them or none': async ({ store: { records }, expect }) => {
    const [one, two] = [
      await addRecord(records, { content: 'one' }),
      await addRecord(records, { content: 'two' }),
    ];
    const foreign = await addRecord(records, { content: 'foreign', agent: 'bob' });
    const refused = await failure(records.forgetMany([one.id, foreign.id], context()));
    expect(refused.code).toBe('NOT_FOUND');
    expect(await listed(records)).toEqual([foreign.id, two.id, one.id]);
    const erasures = await records.forgetMany([one.id, two.id, one.id], context());
    expect(erasures.map(({ id, characters }) => [id, characters])).toEqual([
      [one.id, 3],
      [two.id, 3],
      [one.id, 0],
    ]);
    expect(await listed(records)).toEqual([foreign.id]);
    expect(await found(records, ['one', 'two'])).toEqual([]);
    expect(await records.forgetMany([], context())).toEqual([]);
  },
};

export const recordLifecycle: Themes<StoreOf<'records'>> = { expiry, 'the cap on facts': cap, forgetting };
