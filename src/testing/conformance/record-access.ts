/** Who may do what: each verb for each kind of viewer, on private and on shared records. */
import type { Scope, Viewer } from '../../kernel/scope.ts';
import type { RecordStore } from '../../ports/record-store.ts';
import { addRecord, context, found, listed, NO_CAP, START, updateRecord } from './drafts.ts';
import { failure, type StoreOf, type Test, type Themes } from './suite.ts';

/** `no`: as if it did not exist. `see`: may read, is refused when writing. `all`: may do everything. */
type Right = 'no' | 'see' | 'all';

/** Records belong to alice. */
const RIGHTS: readonly { who: string; viewer: Viewer; agent: Right; swarm: Right }[] = [
  { who: 'the owner', viewer: { agent: 'alice', role: 'worker' }, agent: 'all', swarm: 'all' },
  { who: 'the owner as a reader', viewer: { agent: 'alice', role: 'reader' }, agent: 'see', swarm: 'see' },
  { who: 'another worker', viewer: { agent: 'bob', role: 'worker' }, agent: 'no', swarm: 'see' },
  { who: 'a lead', viewer: { agent: 'bob', role: 'lead' }, agent: 'no', swarm: 'all' },
  { who: 'another reader', viewer: { agent: 'bob', role: 'reader' }, agent: 'no', swarm: 'see' },
  { who: 'a worker without a name', viewer: { role: 'worker' }, agent: 'no', swarm: 'see' },
  { who: 'a lead without a name', viewer: { role: 'lead' }, agent: 'no', swarm: 'all' },
  { who: 'the admin', viewer: { role: 'admin' }, agent: 'all', swarm: 'all' },
  {
    who: 'the admin on behalf of an agent',
    viewer: { agent: 'bob', role: 'admin' },
    agent: 'all',
    swarm: 'all',
  },
];

/** How a write by this viewer ends. */
async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'done';
  } catch {
    return (await failure(promise)).code;
  }
}

async function rightsOf(records: RecordStore, viewer: Viewer, scope: Scope) {
  const { id } = await addRecord(records, { content: 'quokka', scope });
  await updateRecord(records, id, { content: 'quokkas' });
  const options = { maxFacts: NO_CAP };
  const writer = context(viewer);
  return {
    search: (await found(records, ['quokka'], { viewer })).includes(id),
    list: (await listed(records, { viewer })).includes(id),
    get: (await records.get(id, viewer, START)) !== null,
    history: (await records.history(id, viewer)).length > 0,
    update: await outcomeOf(records.update(id, { content: 'a quokka' }, options, writer)),
    undo: await outcomeOf(records.revert(id, 1, options, writer)),
    forget: await outcomeOf(records.forget(id, writer)),
  };
}

function expected(right: Right) {
  const seen = right !== 'no';
  const write = { no: 'NOT_FOUND', see: 'FORBIDDEN', all: 'done' }[right];
  return { search: seen, list: seen, get: seen, history: seen, update: write, undo: write, forget: write };
}

const matrix: Record<string, Test<StoreOf<'records'>>> = {};
for (const { who, viewer, ...rights } of RIGHTS) {
  for (const scope of ['agent', 'swarm'] as const) {
    matrix[`${who} and a record of scope ${scope}: ${rights[scope]}`] = async ({
      store: { records },
      expect,
    }) => {
      expect(await rightsOf(records, viewer, scope)).toEqual(expected(rights[scope]));
    };
  }
}

export const recordAccess: Themes<StoreOf<'records'>> = {
  'who may do what': matrix,

  'a viewer who may not see': {
    'gets the same answer for a hidden record as for none': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records);
      const stranger = { agent: 'bob', role: 'lead' } as const;
      const hidden = await failure(records.forget(id, context(stranger)));
      const missing = await failure(records.forget('mem_none', context(stranger)));
      expect(hidden.message.replace(id, 'mem_none')).toBe(missing.message);
      expect([hidden.code, hidden.hint]).toEqual([missing.code, missing.hint]);
    },

    'loses sight of a record when it is made private': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'quokka', scope: 'swarm' });
      const viewer = { agent: 'bob', role: 'worker' } as const;
      expect(await found(records, ['quokka'], { viewer })).toEqual([id]);
      await updateRecord(records, id, { scope: 'agent' });
      expect(await found(records, ['quokka'], { viewer })).toEqual([]);
      expect(await records.get(id, viewer, START)).toBe(null);
    },

    'cannot filter his way in': async ({ store: { records }, expect }) => {
      await addRecord(records, { content: 'quokka' });
      const query = { viewer: { agent: 'bob', role: 'lead' }, filter: { agent: 'alice' } } as const;
      expect(await listed(records, query)).toEqual([]);
      expect(await found(records, ['quokka'], query)).toEqual([]);
    },
  },
};
