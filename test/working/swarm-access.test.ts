/** Every verb of the swarm service for every role and every place in a run: who gets an answer, and who a refusal. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/kernel/caller.ts';
import { ROLES, type Role } from '../../src/kernel/scope.ts';
import type { RunRecord } from '../../src/ports/run-store.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { codeOf } from './fixture.ts';

/** The place of a caller in the run, and the name under which it has that place. */
const PLACES = { lead: 'editor', worker: 'scout', reader: 'visitor', stranger: 'mallory', owner: undefined };
type Place = keyof typeof PLACES;

const TASK = 'Where is the boiler?';
const PARTICIPANTS = [
  { name: 'editor', role: 'lead' },
  { name: 'scout', role: 'worker' },
  { name: 'visitor', role: 'reader' },
] as const;

const callerAs = (role: Role, place: Place): Caller => {
  const agent = PLACES[place];
  return { viewer: { role, ...(agent === undefined ? {} : { agent }) }, via: 'http' };
};
const OWNER = callerAs('admin', 'owner');

async function scene() {
  const engine = await testWorkspace()
    .open({ config: { models: { embedding: 'none' } } })
    .open();
  const { swarms } = engine;
  const start = async (): Promise<RunRecord> =>
    (await swarms.start({ swarm: 'market', task: TASK, participants: [...PARTICIPANTS] }, OWNER)).run;
  return { engine, swarms, start };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** A verb on a run of its own, as the caller. */
const VERBS: Readonly<Record<string, (given: Scene, run: RunRecord, caller: Caller) => Promise<unknown>>> = {
  get: ({ swarms }, { id }, caller) => swarms.get({ id }, caller),
  messages: ({ swarms }, { id }, caller) => swarms.messages({ id }, caller),
  watchMessages: ({ swarms }, { id }, caller) =>
    swarms.watchMessages({ run: id, signal: AbortSignal.abort() }, caller).next(),
  'state.get': async ({ swarms }, { id }, caller) => (await swarms.state(id, caller)).get(),
  'state.set': async ({ swarms }, { id }, caller) => (await swarms.state(id, caller)).set('/topic', 'x'),
  'state.delete': async ({ swarms }, { id }, caller) => (await swarms.state(id, caller)).remove('/topic'),
  publish: ({ swarms }, { id }, caller) =>
    swarms.publish({ id, message: { id: `msg_${id}`, role: 'user', content: 'Hello', at: 1 } }, caller),
  note: ({ swarms }, { id }, caller) => swarms.note({ id }, caller),
  start: ({ swarms }, _run, caller) =>
    swarms.start({ swarm: 'market', task: 'Another task', participants: [...PARTICIPANTS] }, caller),
  touch: ({ swarms }, { id }, caller) => swarms.touch({ id }, caller),
  keep: ({ swarms }, { id }, caller) => swarms.keep({ id, output: 'In the cellar.' }, caller),
  end: ({ swarms }, { id }, caller) => swarms.end({ id, status: 'completed' }, caller),
  cancel: ({ swarms }, { id }, caller) => swarms.cancel({ id }, caller),
};

const READS = ['get', 'messages', 'watchMessages', 'state.get'];
const CHANGES = ['state.set', 'state.delete'];
const SPEAKS = ['publish', 'note'];

/** What the guide promises, in one place. */
function expected(verb: string, role: Role, place: Place): string {
  const isOwner = role === 'admin';
  const isLead = isOwner || (role === 'lead' && place === 'lead');
  if (verb === 'start') return isLead ? 'done' : 'FORBIDDEN';
  // Whoever takes no part learns not even that there is such a run.
  const takesPart = place === 'lead' || place === 'worker' || place === 'reader';
  if (!isOwner && !takesPart) return 'NOT_FOUND';
  if (READS.includes(verb)) return 'done';
  // The lesser of the two roles counts: that of the key, and that in the run.
  const mayWrite = role !== 'reader' && place !== 'reader';
  if (CHANGES.includes(verb)) return mayWrite ? 'done' : 'FORBIDDEN';
  // Only in one's own name: the owner has none here.
  if (SPEAKS.includes(verb)) return takesPart && mayWrite ? 'done' : 'FORBIDDEN';
  return isLead ? 'done' : 'FORBIDDEN';
}

describe.each(Object.keys(VERBS))('%s', (verb) => {
  it('lets in whom the role of the key and the place in the run allow, and nobody else', async () => {
    const given = await scene();
    const found: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const role of ROLES) {
      for (const place of Object.keys(PLACES) as Place[]) {
        const run = await given.start();
        const cell = `${role} key, ${place}`;
        found[cell] = await codeOf(VERBS[verb]!(given, run, callerAs(role, place)));
        wanted[cell] = expected(verb, role, place);
      }
    }
    expect(found).toEqual(wanted);
  });
});

it('nothing of a refused change is stored', async () => {
  const { swarms, start } = await scene();
  const run = await start();
  const before = await (await swarms.state(run.id, OWNER)).read();
  const asReader = callerAs('worker', 'reader');
  const state = await swarms.state(run.id, asReader);
  for (const attempt of [
    () => state.set('/topic', 'x'),
    () => state.merge({ topic: 'x' }),
    () => state.patch([{ op: 'remove', path: '/topic' }]),
    () => state.append('/findings', 'x'),
    () => state.increment('/count'),
    () => state.remove('/topic'),
  ]) {
    expect(await codeOf(attempt())).toBe('FORBIDDEN');
  }
  expect(await (await swarms.state(run.id, OWNER)).read()).toEqual(before);
});

it('list shows the runs that the caller takes part in, and all to the owner', async () => {
  const { swarms, start, engine } = await scene();
  const [mine, other] = [await start(), await start()];
  const alone = await swarms.start(
    { swarm: 'market', task: TASK, participants: [{ name: 'mallory', role: 'lead' }] },
    OWNER,
  );
  const seen = async (role: Role, place: Place) =>
    (await swarms.list({}, callerAs(role, place))).map(({ id }) => id).toSorted();
  const shared = [mine.id, other.id].toSorted();
  for (const role of ['lead', 'worker', 'reader'] as const) {
    for (const place of ['lead', 'worker', 'reader'] as const)
      expect(await seen(role, place)).toEqual(shared);
    expect(await seen(role, 'stranger')).toEqual([alone.run.id]);
    expect(await seen(role, 'owner')).toEqual([]);
  }
  expect(await seen('admin', 'owner')).toEqual([...shared, alone.run.id].toSorted());
  expect(await swarms.list({ limit: 1 }, callerAs('worker', 'worker'))).toHaveLength(1);
  await engine.runs.settled();
});

it('a run is shown the three earlier results that are closest to its task', async () => {
  const { swarms, start } = await scene();
  for (let i = 0; i < 5; i++) {
    const { id } = await start();
    await swarms.keep({ id, output: `The boiler number ${i} is in the cellar of house ${i}.` }, OWNER);
  }
  const { earlier, run } = await swarms.start(
    { swarm: 'market', task: 'In which cellar is the boiler?', participants: [...PARTICIPANTS] },
    OWNER,
  );
  expect(earlier).toHaveLength(3);
  const state = await swarms.state(run.id, OWNER);
  expect(await state.get('/earlier')).toEqual(earlier.map(({ id, date }) => ({ id, date })));
});

it('the answer of an earlier run is for those who took part in it, and for the owner', async () => {
  const { swarms, start } = await scene();
  const run = await start();
  const result = await swarms.keep({ id: run.id, output: 'In the cellar.' }, OWNER);
  await swarms.end({ id: run.id, status: 'completed', result: result!.id }, OWNER);
  const answer = async (role: Role, place: Place, task = TASK) =>
    (await swarms.answer({ swarm: 'market', task }, callerAs(role, place)))?.result.output ?? null;
  for (const role of ROLES) {
    for (const place of ['lead', 'worker', 'reader'] as const)
      expect(await answer(role, place)).toBe('In the cellar.');
    expect(await answer(role, 'stranger')).toBe(role === 'admin' ? 'In the cellar.' : null);
    expect(await answer(role, 'owner')).toBe(role === 'admin' ? 'In the cellar.' : null);
  }
  expect(await answer('worker', 'worker', '  where is THE boiler? ')).toBe('In the cellar.');
  expect(await answer('worker', 'worker', 'Where is the pump?')).toBeNull();
});
