/** Records about users: who sees them, how they are counted, and that ids are kept as they were given. */
import type { Viewer } from '../../kernel/scope.ts';
import type { RecordStore } from '../../ports/record-store.ts';
import { addRecord, context, found, listed, NO_CAP, nextId, recordDraft, START } from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

const MODEL = 'test/three';
const VECTOR = { model: MODEL, vector: Float32Array.of(1, 0, 0) };

/** Ids that a store could take for one another, for paths or for patterns. */
const IDS = [
  ...['dana', 'Dana', 'dana ', ' dana', 'dana@example.com', 'auth0|5f7c', 'org/42/user/7', 'org/42/user/70'],
  ...[
    '../../etc/passwd',
    'a%',
    'a_',
    '*',
    "o'brien",
    '"',
    '@',
    '#alice',
    'alice',
    '\u00e9',
    'e\u0301',
    'ﬁ',
    'fi',
  ],
  ...[
    '\u200b',
    '\u202e',
    '日本',
    '👩‍👩‍👧',
    'x'.repeat(256),
    `${'x'.repeat(255)}y`,
    'null',
    '0',
    ' ',
    '\n',
    '\\',
  ],
];

const serving = (user: string, agent = 'alice'): Viewer => ({ agent, user, role: 'worker' });

/** What a viewer finds in each of the ways there are. */
async function seen(records: RecordStore, viewer: Viewer): Promise<Record<string, readonly string[]>> {
  const query = { viewer, now: START, filter: {}, limit: 1_000 };
  const nearest = await records.vectors.search({ ...query, embedding: VECTOR });
  return {
    list: (await listed(records, { viewer })).toSorted(),
    words: (await found(records, ['quokka'], { viewer })).toSorted(),
    vectors: nearest.map(({ record }) => record.id).toSorted(),
  };
}

const everywhere = (ids: readonly string[]) => {
  const sorted = ids.toSorted();
  return { list: sorted, words: sorted, vectors: sorted };
};

async function five(records: RecordStore) {
  const add = async (agent: string, user: string | null, scope: 'agent' | 'swarm') =>
    (await addRecord(records, { agent, user, scope, content: 'quokka', embedding: VECTOR })).id;
  return {
    own: await add('alice', null, 'agent'),
    shared: await add('bob', null, 'swarm'),
    withDana: await add('alice', 'dana', 'agent'),
    ofDana: await add('bob', 'dana', 'swarm'),
    withBob: await add('bob', 'dana', 'agent'),
  };
}

export const recordUsers: Themes<StoreOf<'records'>> = {
  users: {
    'words are counted among the memories that the viewer may see, not among what other agents know of the user':
      async ({ store: { records }, expect }) => {
        await five(records);
        // What somebody else may not see must not change how rare a word is.
        await addRecord(records, { agent: 'alice', user: 'erik', content: 'quokka wombat' });
        const counted = async (viewer: Viewer): Promise<readonly number[]> => {
          const { frequencies, population } = await records.termStatistics(['quokka', 'wombat'], viewer);
          return [population, ...frequencies.values()];
        };
        expect(await counted(serving('dana'))).toEqual([4, 4, 0]);
        expect(await counted(serving('dana', 'bob'))).toEqual([3, 3, 0]);
        expect(await counted(serving('dana', 'carol'))).toEqual([2, 2, 0]);
        expect(await counted(serving('erik'))).toEqual([3, 3, 1]);
        expect(await counted({ agent: 'alice', role: 'worker' })).toEqual([2, 2, 0]);
        expect(await counted({ user: 'dana', role: 'worker' })).toEqual([4, 4, 0]);
        expect(await counted({ role: 'admin' })).toEqual([6, 6, 1]);
      },

    'an agent sees its own memories, those with its user, those of its user with every agent, and shared ones':
      async ({ store: { records }, expect }) => {
        const { own, shared, withDana, ofDana, withBob } = await five(records);
        expect(await seen(records, serving('dana'))).toEqual(everywhere([own, shared, withDana, ofDana]));
        expect(await seen(records, serving('Dana'))).toEqual(everywhere([own, shared]));
        expect(await seen(records, { agent: 'alice', role: 'worker' })).toEqual(everywhere([own, shared]));
        expect(await seen(records, serving('dana', 'bob'))).toEqual(everywhere([shared, ofDana, withBob]));
        const dana: Viewer = { user: 'dana', role: 'worker' };
        expect(await seen(records, dana)).toEqual(everywhere([shared, withDana, ofDana, withBob]));
        const all = [own, shared, withDana, ofDana, withBob];
        expect(await seen(records, { role: 'admin' })).toEqual(everywhere(all));
      },

    'a filter by user leaves those about that user, or those about nobody': async ({
      store: { records },
      expect,
    }) => {
      const { own, shared, withDana, ofDana, withBob } = await five(records);
      const ask = async (user: string | null, viewer: Viewer) => ({
        list: (await listed(records, { viewer, filter: { user } })).toSorted(),
        words: (await found(records, ['quokka'], { viewer, filter: { user } })).toSorted(),
      });
      const both = (ids: readonly string[]) => ({ list: ids.toSorted(), words: ids.toSorted() });
      expect(await ask('dana', { role: 'admin' })).toEqual(both([withDana, ofDana, withBob]));
      expect(await ask(null, { role: 'admin' })).toEqual(both([own, shared]));
      expect(await ask('dana', serving('dana'))).toEqual(both([withDana, ofDana]));
      expect(await ask('dana', serving('erik'))).toEqual(both([]));
    },

    'what is about another user is as if it did not exist': async ({ store: { records }, expect }) => {
      const { withDana, ofDana } = await five(records);
      for (const viewer of [serving('erik'), { agent: 'alice', role: 'lead' } as const]) {
        for (const id of [withDana, ofDana]) {
          expect(await records.get(id, viewer, START)).toBe(null);
          expect(await records.history(id, viewer)).toEqual([]);
          expect((await failure(records.forget(id, context(viewer)))).code).toBe('NOT_FOUND');
        }
      }
    },

    'on the word of one user nothing is changed that holds for everybody': async ({
      store: { records },
      expect,
    }) => {
      const { own, ofDana } = await five(records);
      const change = (id: string) =>
        records.update(id, { content: 'other' }, { maxFacts: NO_CAP }, context(serving('dana')));
      expect((await failure(change(own))).code).toBe('FORBIDDEN');
      // Every agent of hers keeps what all of them may know about her.
      expect((await change(ofDana)).outcome).toBe('updated');
    },

    'the cap counts for each agent and user': async ({ store: { records }, expect }) => {
      const add = (user: string | null, agent = 'alice') =>
        records.add(
          recordDraft({ agent, user }),
          { maxFacts: 2 },
          context(user === null ? { agent, role: 'worker' } : serving(user, agent)),
        );
      for (const user of [null, 'dana', 'Dana']) {
        const first = await add(user);
        expect((await add(user)).pruned).toEqual([]);
        expect((await add(user)).pruned).toEqual([first.record.id]);
      }
      expect((await add('dana', 'bob')).pruned).toEqual([]);
      expect(await records.agents()).toMatchObject([
        { name: 'alice', facts: 6 },
        { name: 'bob', facts: 1 },
      ]);
    },

    'an idempotency key and the same text are those of one user': async ({ store: { records }, expect }) => {
      const add = (user: string, content: string) =>
        records.add(
          recordDraft({ user, content }),
          { maxFacts: NO_CAP, idempotencyKey: 'k' },
          context(serving(user)),
        );
      const dana = await add('dana', 'one');
      const erik = await add('erik', 'one');
      expect([dana.outcome, erik.outcome, erik.record.user]).toEqual(['added', 'added', 'erik']);
      expect((await add('dana', 'one')).record.id).toBe(dana.record.id);
    },

    'what is known of a person without an agent has no agent': async ({ store: { records }, expect }) => {
      const person: Viewer = { user: 'dana', role: 'worker' };
      const draft = recordDraft({ agent: '', user: 'dana', scope: 'swarm', content: 'quokka' });
      const { record } = await records.add(draft, { maxFacts: NO_CAP }, context(person));
      expect([record.agent, record.user]).toEqual(['', 'dana']);
      expect(await found(records, ['quokka'], { viewer: serving('dana', 'bob') })).toEqual([record.id]);
      expect(await found(records, ['quokka'], { viewer: serving('erik', 'bob') })).toEqual([]);
      expect(await records.agents()).toEqual([]);
      await records.update(record.id, { content: 'other' }, { maxFacts: NO_CAP }, context(person));
      await records.forget(record.id, context(person));
      expect(await records.history(record.id, person)).toMatchObject([{ content: '' }]);
    },

    'ids are kept as they were given, and none is taken for another': async ({
      store: { records },
      again,
      expect,
    }) => {
      const ids = new Map<string, string>();
      for (const user of IDS) {
        const draft = recordDraft({ id: nextId(), user, content: 'quokka', embedding: VECTOR });
        ids.set(user, (await records.add(draft, { maxFacts: NO_CAP }, context(serving(user)))).record.id);
      }
      const other = (await again()).records;
      for (const [user, id] of ids) {
        expect(await seen(other, serving(user))).toEqual(everywhere([id]));
        expect((await other.get(id, serving(user), START))?.user).toBe(user);
      }
    },

    'the events of a write name the user': async ({ store: { records }, expect }) => {
      const draft = recordDraft({ user: 'dana' });
      const { events } = await records.add(draft, { maxFacts: NO_CAP }, context(serving('dana')));
      expect(events).toMatchObject([{ type: 'memory.wrote', agent: 'alice', user: 'dana' }]);
    },
  },
};
