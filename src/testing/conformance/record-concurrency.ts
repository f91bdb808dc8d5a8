/** Two handles on the same data, as two processes have them. */
import { ALICE, addRecord, context, listed, NO_CAP, recordDraft, START } from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

const OPTIONS = { maxFacts: NO_CAP };

export const recordConcurrency: Themes<StoreOf<'records'>> = {
  'two handles at once': {
    'store the same text once': async ({ store, again, expect }) => {
      const other = await again();
      const results = await Promise.all(
        [store, other, store, other].map(({ records }) =>
          records.add(recordDraft({ content: 'contended' }), OPTIONS, context()),
        ),
      );
      expect(results.filter((result) => result.outcome === 'added').length).toBe(1);
      expect(new Set(results.map((result) => result.record.id)).size).toBe(1);
    },

    'let one of two writers with the same ifVersion win': async ({ store, again, expect }) => {
      const other = await again();
      const { id } = await addRecord(store.records);
      const attempts = await Promise.allSettled(
        [store, other].map(({ records }, i) =>
          records.update(id, { content: `by ${i}` }, { ...OPTIONS, ifVersion: 1 }, context()),
        ),
      );
      expect(attempts.map((attempt) => attempt.status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const lost = attempts.find((attempt) => attempt.status === 'rejected');
      expect((await failure(Promise.reject(lost?.reason))).code).toBe('CONFLICT');
      expect((await store.records.get(id, ALICE, START))?.version).toBe(2);
    },

    'lose no update and no access': async ({ store, again, expect }) => {
      const other = await again();
      const { id } = await addRecord(store.records);
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const { records } = i % 2 ? store : other;
          await records.update(id, { content: `change ${i}` }, OPTIONS, context());
          await records.countAccess([id], 'access', START);
        }),
      );
      expect(await store.records.get(id, ALICE, START)).toMatchObject({ version: 21, accessCount: 20 });
      expect((await other.records.history(id, ALICE)).map((entry) => entry.version)).toEqual(
        Array.from({ length: 21 }, (_, i) => i + 1),
      );
    },

    'keep to the cap together': async ({ store, again, expect }) => {
      const other = await again();
      await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          (i % 2 ? store : other).records.add(recordDraft(), { maxFacts: 5 }, context()),
        ),
      );
      expect((await listed(store.records)).length).toBe(5);
      expect(await other.records.agents()).toEqual([{ name: 'alice', createdAt: START, facts: 5 }]);
    },

    'number their events in one order': async ({ store, again, expect }) => {
      const other = await again();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 ? store : other).records.add(recordDraft(), OPTIONS, context()),
        ),
      );
      const numbers = results.flatMap((result) => result.events.map((event) => event.seq));
      expect(numbers.length).toBe(20);
      expect(new Set(numbers).size).toBe(20);
    },

    'go on when a neighbour in the same moment fails': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      const calls = Array.from({ length: 9 }, (_, i) =>
        i % 3 === 1
          ? records.update('mem_none', { content: 'x' }, OPTIONS, context())
          : records.update(id, { content: `change ${i}` }, OPTIONS, context()),
      );
      const ended = await Promise.allSettled(calls);
      expect(ended.filter((call) => call.status === 'rejected').length).toBe(3);
      expect((await records.get(id, ALICE, START))?.version).toBe(7);
    },
  },

  'a closed handle': {
    'refuses every verb with CLOSED, and leaves the other open': async ({ store, again, expect }) => {
      const other = await again();
      const { id } = await addRecord(store.records);
      await store.close();
      await store.close();
      const { records } = store;
      const query = { viewer: ALICE, now: START, filter: {}, limit: 1 };
      const calls = [
        () => records.add(recordDraft(), OPTIONS, context()),
        () => records.update(id, { content: 'x' }, OPTIONS, context()),
        () => records.revert(id, 1, OPTIONS, context()),
        () => records.forget(id, context()),
        () => records.get(id, ALICE, START),
        () => records.list(query),
        () => records.history(id, ALICE),
        () => records.searchText({ ...query, terms: ['x'] }),
        () => records.countAccess([id], 'access', START),
        () => records.agents(),
      ];
      for (const call of calls) expect((await failure(call())).code).toBe('CLOSED');
      expect((await other.records.get(id, ALICE, START))?.id).toBe(id);
    },

    'finishes what was asked for before': async ({ store, again, expect }) => {
      const other = await again();
      const adding = Promise.all(Array.from({ length: 10 }, () => addRecord(store.records)));
      await store.close();
      expect((await adding).length).toBe(10);
      expect((await listed(other.records)).length).toBe(10);
    },
  },
};
