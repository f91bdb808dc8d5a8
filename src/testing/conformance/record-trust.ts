/** Whose word changes what somebody else said: every changing verb, for each origin on a record of each origin. */
import { ORIGINS, type Origin } from '../../kernel/record.ts';
import type { RecordStore } from '../../ports/record-store.ts';
import { addRecord, context, NO_CAP, recordDraft, START } from './drafts.ts';
import { failure, type StoreOf, type Test, type Themes } from './suite.ts';

/** Written down once more, so that the order cannot change unnoticed. */
const FROM_MOST_TRUSTED: readonly Origin[] = ['user', 'agent', 'import', 'tool', 'web'];

const OPTIONS = { maxFacts: NO_CAP };

type Attempt = (records: RecordStore, id: string, by: Origin) => Promise<unknown>;

const on =
  (patch: Parameters<RecordStore['update']>[1]): Attempt =>
  (records, id, origin) =>
    records.update(id, patch, OPTIONS, { ...context(), origin });

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'supersede it': (records, id, origin) =>
    records.add(recordDraft({ origin }), { ...OPTIONS, supersedes: id }, context()),
  'change what it says': on({ content: 'something else' }),
  'pin it': on({ pinned: true }),
  'make it an instruction': on({ category: 'instruction' }),
  'share it': on({ scope: 'swarm' }),
  'let it expire': on({ expiresAt: START }),
  'label it': on({ tags: ['other'], metadata: { a: 1 }, confidence: 0.1 }),
  'take back its last change': (records, id, origin) =>
    records.revert(id, 1, OPTIONS, { ...context(), origin }),
};

const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    async () => (await failure(attempt)).code,
  );

const matrix: Record<string, Test<StoreOf<'records'>>> = {};
for (const [what, attempt] of Object.entries(ATTEMPTS)) {
  matrix[`to ${what} takes the word of an origin that is trusted as much`] = async ({
    store: { records },
    expect,
  }) => {
    for (const of of ORIGINS) {
      for (const by of ORIGINS) {
        const { id } = await addRecord(records, { origin: of });
        await records.update(id, { content: `changed ${id}` }, OPTIONS, context());
        const before = await records.get(id, context().viewer, START);
        const outcome = await outcomeOf(attempt(records, id, by));
        const allowed = FROM_MOST_TRUSTED.indexOf(by) <= FROM_MOST_TRUSTED.indexOf(of);
        expect({ of, by, outcome }).toEqual({ of, by, outcome: allowed ? 'done' : 'FORBIDDEN' });
        if (!allowed) expect(await records.get(id, context().viewer, START)).toEqual(before);
      }
    }
  };
}

export const recordTrust: Themes<StoreOf<'records'>> = {
  'whose word changes a record': {
    ...matrix,

    'a repetition strengthens it only from an origin that is trusted as much': async ({
      store: { records },
      expect,
    }) => {
      for (const of of ORIGINS) {
        for (const by of ORIGINS) {
          const { id, content } = await addRecord(records, { origin: of });
          const again = recordDraft({ content, origin: by, pinned: true, tags: ['more'] });
          const { outcome, record } = await records.add(again, OPTIONS, context());
          const allowed = FROM_MOST_TRUSTED.indexOf(by) <= FROM_MOST_TRUSTED.indexOf(of);
          expect({
            outcome,
            id: record.id,
            pinned: record.pinned,
            tags: record.tags,
            origin: record.origin,
          }).toEqual({
            ...{ outcome: 'duplicate', id, pinned: allowed },
            ...{ tags: allowed ? ['more'] : [], origin: of },
          });
        }
      }
    },

    'what came from outside and was pinned, shared or made an instruction is not changed by a stranger':
      async ({ store: { records }, expect }) => {
        const endorsements = [{ pinned: true }, { scope: 'swarm' }, { category: 'Instruction' }] as const;
        for (const endorsed of endorsements) {
          for (const by of ORIGINS) {
            for (const [what, attempt] of Object.entries(ATTEMPTS)) {
              const { id } = await addRecord(records, { origin: 'web' });
              await records.update(id, endorsed, OPTIONS, context());
              const before = await records.get(id, context().viewer, START);
              const isTrusted = ['user', 'agent'].includes(by);
              const outcome = await outcomeOf(attempt(records, id, by));
              const expected = isTrusted ? 'done' : 'FORBIDDEN';
              expect({ endorsed, by, what, outcome }).toEqual({ endorsed, by, what, outcome: expected });
              if (!isTrusted) expect(await records.get(id, context().viewer, START)).toEqual(before);
            }
            const { id, content } = await addRecord(records, { origin: 'web', ...endorsed });
            const again = recordDraft({ content, origin: by, ...endorsed, tags: ['more'] });
            const { record } = await records.add(again, OPTIONS, context());
            expect({ by, id: record.id, tags: record.tags }).toEqual({
              ...{ by, id },
              tags: ['user', 'agent'].includes(by) ? ['more'] : [],
            });
          }
        }
      },

    'superseding can ask for a version': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      await records.update(id, { content: 'changed meanwhile' }, OPTIONS, context());
      const add = (ifVersion: number) =>
        records.add(recordDraft(), { ...OPTIONS, supersedes: id, ifVersion }, context());
      expect((await failure(add(1))).code).toBe('CONFLICT');
      expect((await records.get(id, context().viewer, START))?.supersededBy).toBe(null);
      expect((await add(2)).record.supersedes).toBe(id);
    },
  },
};
