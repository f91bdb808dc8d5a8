/** The suite that every store of runs passes: one end for each run, signs of life, and a list of all. */
import { NO_TALLY, type RunDraft, type RunEnd, type RunStore } from '../../ports/run-store.ts';
import { START } from './drafts.ts';
import { type ConformanceOptions, failure, registerSuite, type StoreOf, type Themes } from './suite.ts';

type Theme = Themes<StoreOf<'runs'>>[string];

const LEASE = 600_000;
const USAGE = {
  ...{ calls: 3, unfinished: 1, inputTokens: 2 ** 40, outputTokens: 0, cost: 0.1 },
  models: { 'a/b': { ...NO_TALLY, cost: null } },
};

const draft = (id: string, given: Partial<RunDraft> = {}): RunDraft => ({
  ...{ id, swarm: 'market', type: 'research', task: `Task of ${id}: ünï "\u0000"`, startedAt: START },
  participants: [
    { name: 'editor', role: 'lead' },
    { name: 'ünï', role: 'worker' },
  ],
  ...{ leaseUntil: START + LEASE, leaseMs: LEASE, usage: { ...NO_TALLY, models: {} } },
  ...given,
});

const END: RunEnd = { status: 'completed', endedAt: START + 9, reason: null, result: 'mem_1', usage: USAGE };
const ids = async (runs: RunStore, query: Parameters<RunStore['list']>[0]): Promise<string[]> =>
  (await runs.list(query)).map(({ id }) => id);

const life: Theme = {
  'keeps a run exactly, from its start to its end': async ({ store: { runs }, again, expect }) => {
    expect(await runs.get('run_1')).toBe(null);
    const made = await runs.create(draft('run_1'));
    const running = { ...draft('run_1'), status: 'running', endedAt: null, reason: null, result: null };
    expect(made).toEqual(running);
    const other = await again();
    expect(await other.runs.get('run_1')).toEqual(running);
    expect(await other.runs.end('run_1', END)).toBe(true);
    expect(await runs.get('run_1')).toEqual({ ...draft('run_1'), ...END });
  },

  'refuses a second run of one id, and leaves the first as it is': async ({ store, again, expect }) => {
    const other = await again();
    await store.runs.create(draft('run_1'));
    await store.runs.end('run_1', END);
    expect((await failure(other.runs.create(draft('run_1', { task: 'another' })))).code).toBe('CONFLICT');
    expect(await other.runs.get('run_1')).toEqual({ ...draft('run_1'), ...END });
  },

  'ends once: the first end counts, whoever makes it': async ({ store: { runs }, again, expect }) => {
    await runs.create(draft('run_1'));
    const handles = [runs, (await again()).runs];
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, i) => {
        const status = i % 2 === 0 ? 'failed' : 'cancelled';
        return handles[i % 2]!.end('run_1', { ...END, status, reason: String(i), usage: undefined });
      }),
    );
    expect(ends.filter(Boolean).length).toBe(1);
    const kept = await runs.get('run_1');
    expect(kept?.reason).toBe(String(ends.indexOf(true)));
    // Without a new account, the last one holds.
    expect(kept?.usage).toEqual({ ...NO_TALLY, models: {} });
    expect(await runs.end('run_none', END)).toBe(false);
  },

  'a sign of life prolongs the lease, never shortens it, and keeps the account': async ({
    store: { runs },
    expect,
  }) => {
    await runs.create(draft('run_1'));
    expect(await runs.touch('run_1', { leaseUntil: START + 2 * LEASE, usage: USAGE })).toBe(true);
    expect(await runs.touch('run_1', { leaseUntil: START })).toBe(true);
    expect(await runs.get('run_1')).toMatchObject({ leaseUntil: START + 2 * LEASE, usage: USAGE });
    await runs.end('run_1', { ...END, usage: undefined });
    expect(await runs.touch('run_1', { leaseUntil: START + 9 * LEASE })).toBe(false);
    expect(await runs.get('run_1')).toMatchObject({ leaseUntil: START + 2 * LEASE, usage: USAGE });
    expect(await runs.touch('run_none', { leaseUntil: START, usage: USAGE })).toBe(false);
    expect(await runs.get('run_none')).toBe(null);
  },

  'what was spent is kept also when the run has ended': async ({ store: { runs }, expect }) => {
    await runs.create(draft('run_1'));
    await runs.end('run_1', { ...END, usage: undefined });
    expect(await runs.touch('run_1', { leaseUntil: START + 9 * LEASE, usage: USAGE })).toBe(false);
    expect(await runs.get('run_1')).toEqual({ ...draft('run_1'), ...END, usage: USAGE });
  },

  'ends a run for its silence only if nobody gave a sign of life': async ({ store: { runs }, expect }) => {
    await runs.create(draft('run_1'));
    const silent = { ...END, leaseBefore: START + LEASE + 1 };
    await runs.touch('run_1', { leaseUntil: START + LEASE + 1 });
    expect(await runs.end('run_1', silent)).toBe(false);
    expect((await runs.get('run_1'))?.status).toBe('running');
    expect(await runs.end('run_1', { ...silent, leaseBefore: START + LEASE + 2 })).toBe(true);
  },
};

const listing: Theme = {
  'lists newest first, by swarm, by status and by lease': async ({ store: { runs }, expect }) => {
    await runs.create(draft('run_1'));
    await runs.create(draft('run_3', { startedAt: START + 2, swarm: 'other' }));
    await runs.create(draft('run_2', { startedAt: START + 1, leaseUntil: START + 1 }));
    await runs.end('run_1', END);
    expect(await ids(runs, { limit: 10 })).toEqual(['run_3', 'run_2', 'run_1']);
    expect(await ids(runs, { limit: 1 })).toEqual(['run_3']);
    expect(await ids(runs, { swarm: 'market', limit: 10 })).toEqual(['run_2', 'run_1']);
    expect(await ids(runs, { status: 'running', limit: 10 })).toEqual(['run_3', 'run_2']);
    expect(await ids(runs, { status: 'running', leaseBefore: START + 2, limit: 10 })).toEqual(['run_2']);
    expect(await ids(runs, { leaseBefore: START + 1, limit: 10 })).toEqual([]);
  },

  'lists what is far back': async ({ store: { runs }, expect }) => {
    const count = 450;
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        runs.create(draft(`run_${i}`, { startedAt: START + i, swarm: i < 3 ? 'old' : 'new' })),
      ),
    );
    expect(await ids(runs, { swarm: 'old', limit: 10 })).toEqual(['run_2', 'run_1', 'run_0']);
    expect((await ids(runs, { limit: 1_000 })).length).toBe(count);
  },

  'removes one run for good, running or not, and no other': async ({ store: { runs }, again, expect }) => {
    for (const id of ['run_1', 'run_2', 'run_3']) await runs.create(draft(id));
    await runs.end('run_1', END);
    const other = await again();
    expect(await other.runs.remove('run_1')).toBe(true);
    expect(await runs.remove('run_2')).toBe(true);
    expect(await runs.remove('run_2')).toBe(false);
    expect(await runs.get('run_1')).toBe(null);
    expect(await ids(runs, { limit: 10 })).toEqual(['run_3']);
    expect(await runs.touch('run_2', { leaseUntil: START })).toBe(false);
    expect(await ids(other.runs, { limit: 10 })).toEqual(['run_3']);
  },

  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    for (const call of [
      () => store.runs.get('run_1'),
      () => store.runs.list({ limit: 1 }),
      () => store.runs.create(draft('run_1')),
      () => store.runs.touch('run_1', { leaseUntil: START }),
      () => store.runs.end('run_1', END),
      () => store.runs.remove('run_1'),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

export function runStoreConformance(options: ConformanceOptions<StoreOf<'runs'>>): void {
  registerSuite('run store', { life, listing }, options);
}
