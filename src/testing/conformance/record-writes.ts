/** Adding: exact, durable, once. */
import { analyze } from '../../kernel/analysis.ts';
import type { RecordDraft } from '../../ports/record-store.ts';
import { ADMIN, ALICE, addRecord, BOB, context, listed, NO_CAP, recordDraft, START } from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

const AWKWARD = [
  ' leading and trailing \n',
  'a\r\nb\rc\n\n',
  'nul \u0000 in the middle',
  "'; DROP TABLE records; --",
  '👩‍👩‍👧‍👦 e\u0301 \u202e right to left',
  '漢字かな交じり文',
  'x'.repeat(100_000),
];

export const recordWrites: Themes<StoreOf<'records'>> = {
  'adding a record': {
    'gives back every field and an event': async ({ store: { records }, expect }) => {
      const draft: RecordDraft = recordDraft({
        scope: 'swarm',
        source: 'task_completion',
        category: 'any word',
        confidence: 0.25,
        content: 'the build needs node 24',
        tags: ['build', 'node'],
        metadata: { nested: { list: [1, 'two', null, true] }, empty: {} },
        origin: 'tool',
        pinned: true,
        expiresAt: START + 5,
      });
      const { outcome, record, pruned, events } = await records.add(draft, { maxFacts: NO_CAP }, context());
      const stored = {
        ...draft,
        state: 'live',
        createdAt: START,
        updatedAt: START,
        expiryReason: null,
        supersedes: null,
        supersededBy: null,
        forgottenAt: null,
        version: 1,
        accessCount: 0,
        lastAccessedAt: null,
        injectedCount: 0,
      };
      expect({ outcome, pruned }).toEqual({ outcome: 'added', pruned: [] });
      expect(record).toEqual(stored);
      expect(await records.get(draft.id, ALICE, START)).toEqual(stored);
      expect(events.length).toBe(1);
      expect(events[0]).toMatchObject({
        type: 'memory.wrote',
        id: draft.id,
        agent: 'alice',
        at: START,
        via: 'sdk',
        version: 1,
        change: 'added',
        scope: 'swarm',
        source: 'task_completion',
        category: 'any word',
      });
    },

    'keeps any text exactly': async ({ store: { records }, expect }) => {
      for (const content of AWKWARD) {
        const { id } = await addRecord(records, { content });
        expect((await records.get(id, ALICE, START))?.content).toBe(content);
      }
    },

    'is seen by another handle at once': async ({ store: { records }, again, expect }) => {
      const other = await again();
      const { id } = await addRecord(records, { content: 'shared between handles' });
      expect((await other.records.get(id, ALICE, START))?.content).toBe('shared between handles');
    },

    'refuses an id that is taken and changes nothing': async ({ store: { records }, expect }) => {
      const first = await addRecord(records, { content: 'the first' });
      const repeated = recordDraft({ id: first.id, content: 'the second' });
      const error = await failure(records.add(repeated, { maxFacts: NO_CAP }, context()));
      expect(error.code).toBe('CONFLICT');
      expect((await records.get(first.id, ALICE, START))?.content).toBe('the first');
    },

    'refuses an agent that differs from another only by case': async ({ store: { records }, expect }) => {
      await addRecord(records, { agent: 'alice' });
      const twin = recordDraft({ agent: 'Alice' });
      const error = await failure(
        records.add(twin, { maxFacts: NO_CAP }, context({ agent: 'Alice', role: 'worker' })),
      );
      expect(error.code).toBe('INVALID_NAME');
      expect((await records.agents()).map((agent) => agent.name)).toEqual(['alice']);
    },

    'knows the agents and how many live facts each has': async ({ store: { records }, expect }) => {
      await addRecord(records, { agent: 'bob' }, START + 1);
      await addRecord(records, { agent: 'bob', source: 'extracted' });
      await addRecord(records, { agent: 'bob', source: 'task_completion' });
      const gone = await addRecord(records, { agent: 'alice' }, START + 2);
      await records.forget(gone.id, context(ALICE));
      expect(await records.agents()).toEqual([
        { name: 'alice', createdAt: START + 2, facts: 0 },
        { name: 'bob', createdAt: START + 1, facts: 2 },
      ]);
    },
  },

  'the same text twice': {
    'is stored once, without a second event': async ({ store: { records }, expect }) => {
      const first = await addRecord(records, { content: 'once' });
      const second = await records.add(recordDraft({ content: 'once' }), { maxFacts: NO_CAP }, context());
      expect(second).toEqual({ outcome: 'duplicate', record: first, pruned: [], events: [] });
      expect(await listed(records)).toEqual([first.id]);
    },

    'is stored again for another owner, scope or category': async ({ store: { records }, expect }) => {
      for (const fields of [{}, { agent: 'bob' }, { scope: 'swarm' }, { category: 'other' }] as const) {
        await addRecord(records, { content: 'twice', ...fields });
      }
      expect((await listed(records)).length).toBe(4);
    },

    'is stored again once the first expired or was forgotten': async ({ store: { records }, expect }) => {
      const short = await addRecord(records, { content: 'brief', expiresAt: START + 10 });
      const after = await addRecord(records, { content: 'brief' }, START + 10);
      expect(after.id === short.id).toBe(false);
      await records.forget(after.id, context(ALICE, START + 11));
      const last = await addRecord(records, { content: 'brief' }, START + 12);
      expect(await listed(records, { now: START + 12 })).toEqual([last.id]);
    },
  },

  'an idempotency key': {
    'makes a repeated add return the first record': async ({ store: { records }, expect }) => {
      const options = { maxFacts: NO_CAP, idempotencyKey: 'k1' };
      const first = await records.add(recordDraft({ content: 'keyed' }), options, context());
      const second = await records.add(recordDraft({ content: 'keyed' }), options, context());
      expect([second.outcome, second.record.id]).toEqual(['duplicate', first.record.id]);
    },

    'is a conflict with another text, also after an update': async ({ store: { records }, expect }) => {
      const options = { maxFacts: NO_CAP, idempotencyKey: 'k2' };
      const { record } = await records.add(recordDraft({ content: 'keyed' }), options, context());
      const add = (content: string) => records.add(recordDraft({ content }), options, context());
      expect((await failure(add('something else'))).code).toBe('CONFLICT');
      await records.update(record.id, { content: 'changed' }, { maxFacts: NO_CAP }, context());
      expect((await failure(add('something else'))).code).toBe('CONFLICT');
      expect((await add('keyed')).record).toMatchObject({ id: record.id, content: 'changed', version: 2 });
    },

    'counts from the first add that named it, even if that was a duplicate': async ({
      store: { records },
      expect,
    }) => {
      const plain = await addRecord(records, { content: 'there already' });
      const options = { maxFacts: NO_CAP, idempotencyKey: 'k3' };
      const add = (content: string) => records.add(recordDraft({ content }), options, context());
      expect((await add('there already')).record.id).toBe(plain.id);
      expect((await failure(add('something else'))).code).toBe('CONFLICT');
      await records.forget(plain.id, context());
      expect((await failure(add('there already'))).code).toBe('FORGOTTEN');
    },

    'never brings back what was forgotten': async ({ store: { records }, expect }) => {
      const options = { maxFacts: NO_CAP, idempotencyKey: 'k4' };
      const { record } = await records.add(recordDraft({ content: 'a secret' }), options, context());
      await records.forget(record.id, context());
      const repeated = records.add(recordDraft({ content: 'a secret' }), options, context());
      expect((await failure(repeated)).code).toBe('FORGOTTEN');
      expect(await listed(records)).toEqual([]);
    },

    'belongs to one agent': async ({ store: { records }, expect }) => {
      const options = { maxFacts: NO_CAP, idempotencyKey: 'k5' };
      await records.add(recordDraft({ content: 'of alice' }), options, context(ALICE));
      const draft = recordDraft({ agent: 'bob', content: 'of bob' });
      expect((await records.add(draft, options, context(BOB))).outcome).toBe('added');
    },
  },

  'counting accesses': {
    'counts accesses and injections apart': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      await records.countAccess([id, id], 'access', START + 3);
      await records.countAccess([id], 'injection', START + 4);
      await records.countAccess(['mem_unknown'], 'access', START + 5);
      expect(await records.get(id, ALICE, START)).toMatchObject({
        accessCount: 2,
        lastAccessedAt: START + 3,
        injectedCount: 1,
        version: 1,
        updatedAt: START,
      });
    },
  },

  'analysis and store agree': {
    'every term of a text finds it': async ({ store: { records }, expect }) => {
      const content =
        'Preferring 東京 over Zürich, running naïvely; v2.0 of 커피 (☕) in the Lange Straße, Łódź';
      const { id } = await addRecord(records, { content });
      for (const term of [...analyze(content), ...analyze('LANGE STRASSE, Lodz')]) {
        const candidates = await records.searchText({
          viewer: ADMIN,
          now: START,
          filter: {},
          terms: [term],
          limit: 1,
        });
        expect([term, candidates[0]?.record.id]).toEqual([term, id]);
      }
    },
  },
};
