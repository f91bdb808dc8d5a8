/** Changing: every version is kept, and any of them can come back. */
import type { RecordPatch } from '../../ports/record-store.ts';
import { ALICE, addRecord, BOB, context, found, NO_CAP, START, updateRecord } from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

const OPTIONS = { maxFacts: NO_CAP };

export const recordVersions: Themes<StoreOf<'records'>> = {
  'updating a record': {
    'changes the named fields and leaves the others': async ({ store: { records }, expect }) => {
      const before = await addRecord(records, { content: 'old', tags: ['a'], metadata: { k: 1 } });
      const { outcome, record, events } = await updateRecord(
        records,
        before.id,
        { content: 'new' },
        START + 7,
      );
      const after = { ...before, content: 'new', version: 2, updatedAt: START + 7 };
      expect(outcome).toBe('updated');
      expect(record).toEqual(after);
      expect(await records.get(before.id, ALICE, START + 7)).toEqual(after);
      expect(events.length).toBe(1);
      expect(events[0]).toMatchObject({ type: 'memory.wrote', change: 'updated', version: 2 });
    },

    'can change every field that a patch names': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { expiresAt: START + 100 });
      const patch: RecordPatch = {
        content: 'other',
        category: 'preference',
        confidence: 0.5,
        scope: 'swarm',
        tags: ['t'],
        metadata: { m: [] },
        pinned: true,
        expiresAt: null,
      };
      const { record } = await updateRecord(records, id, patch);
      expect(record).toMatchObject(patch);
    },

    'makes no version when nothing changes': async ({ store: { records }, expect }) => {
      const before = await addRecord(records, { content: 'same', tags: ['a'] });
      const result = await updateRecord(records, before.id, { content: 'same', tags: ['a'] }, START + 9);
      expect(result).toEqual({ outcome: 'unchanged', record: before, pruned: [], events: [] });
    },

    'finds the new text and no longer the old': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'aardvark' });
      await updateRecord(records, id, { content: 'badger' });
      expect(await found(records, ['aardvark'])).toEqual([]);
      expect(await found(records, ['badger'])).toEqual([id]);
    },

    'conflicts with another version than ifVersion': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one' });
      await updateRecord(records, id, { content: 'two' });
      const stale = records.update(id, { content: 'three' }, { ...OPTIONS, ifVersion: 1 }, context());
      expect((await failure(stale)).code).toBe('CONFLICT');
      const fresh = await records.update(id, { content: 'three' }, { ...OPTIONS, ifVersion: 2 }, context());
      expect(fresh.record).toMatchObject({ content: 'three', version: 3 });
    },

    'knows no record of an unknown id': async ({ store: { records }, expect }) => {
      expect((await failure(updateRecord(records, 'mem_none', { content: 'x' }))).code).toBe('NOT_FOUND');
      expect(await records.get('mem_none', ALICE, START)).toBe(null);
      expect(await records.history('mem_none', ALICE)).toEqual([]);
    },
  },

  'the history of a record': {
    'lists every version, oldest first, with who and when': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one', scope: 'swarm' });
      await updateRecord(records, id, { content: 'two' }, START + 1);
      const lead = { agent: 'bob', role: 'lead' } as const;
      await updateRecord(records, id, { content: 'three' }, START + 2, lead);
      await records.revert(id, 1, OPTIONS, context(ALICE, START + 3));
      const history = await records.history(id, BOB);
      expect(
        history.map(({ version, change, changedAt, changedBy, content }) => [
          version,
          change,
          changedAt - START,
          changedBy,
          content,
        ]),
      ).toEqual([
        [1, 'added', 0, 'alice', 'one'],
        [2, 'updated', 1, 'alice', 'two'],
        [3, 'updated', 2, 'bob', 'three'],
        [4, 'undone', 3, 'alice', 'one'],
      ]);
    },
  },

  'going back': {
    'takes back the last change, and the taking back': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'one', tags: ['a'], confidence: 0.3 });
      await updateRecord(records, id, { content: 'two', tags: [], confidence: 0.9 });
      const back = await records.revert(id, undefined, OPTIONS, context());
      expect(back.record).toMatchObject({ content: 'one', tags: ['a'], confidence: 0.3, version: 3 });
      expect(back.events[0]).toMatchObject({ type: 'memory.wrote', change: 'undone', version: 3 });
      const forth = await records.revert(id, undefined, OPTIONS, context());
      expect(forth.record).toMatchObject({ content: 'two', tags: [], confidence: 0.9, version: 4 });
    },

    'goes back to any version and finds its text again': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'aardvark' });
      await updateRecord(records, id, { content: 'badger' });
      await updateRecord(records, id, { content: 'civet' });
      await records.revert(id, 1, OPTIONS, context());
      expect(await found(records, ['aardvark'])).toEqual([id]);
      expect(await found(records, ['badger', 'civet'])).toEqual([]);
    },

    'changes nothing when it is there already': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      const result = await records.revert(id, 1, OPTIONS, context(ALICE, START + 1));
      expect(result).toMatchObject({ outcome: 'unchanged', record: { version: 1 }, events: [] });
    },

    'refuses a version that never was': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      for (const version of [undefined, 2, 99]) {
        expect((await failure(records.revert(id, version, OPTIONS, context()))).code).toBe('NOT_FOUND');
      }
    },

    'conflicts with ifVersion like an update': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      await updateRecord(records, id, { content: 'changed' });
      const stale = records.revert(id, 1, { ...OPTIONS, ifVersion: 1 }, context());
      expect((await failure(stale)).code).toBe('CONFLICT');
    },
  },
};
