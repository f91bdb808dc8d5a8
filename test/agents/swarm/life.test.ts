/** How long a run lives: what it has spent is known at once, its budget ends it, and a process that died is noticed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { DAY } from '../../../src/kernel/clock.ts';
import { callVerb } from '../../../src/kernel/verb.ts';
import { fakeClock } from '../../../src/testing/index.ts';
import { verbs } from '../../../src/verbs.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { call } from '../fixture.ts';
import { LEAD, type Part, swarmScene, TASK, WORKERS } from './fixture.ts';

const OWNER = { viewer: { role: 'admin' }, via: 'http' } as const;
const priced = (input: number) => {
  const price = { input, output: 0 };
  return Object.fromEntries([...WORKERS, LEAD].map((name) => [`scripted/${name}`, price]));
};
/** Costs a dollar when a million tokens do. */
const dollar = { inputTokens: 1_000_000, outputTokens: 0 };
const answer: Part = () => ({ text: 'An answer.', usage: dollar });
const PARTS = { 'researcher-1': answer, 'researcher-2': answer, [LEAD]: answer };

it('C-09 a run whose process was killed is failed a minute later, with the reason', async () => {
  const { folder, open } = testWorkspace();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'dying-child.ts'), folder]);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const id = line.toString().trim();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const clock = fakeClock(Date.now());
  const client = open({ clock });
  expect(await client.runs.list()).toMatchObject([{ id, status: 'running' }]);
  clock.advance(61_000);
  const { status, reason } = await (await client.runs.get(id)).details();
  expect([status, reason]).toEqual([
    'failed',
    expect.stringMatching(/^Its process died or was cut off: the last sign of life came at \d{4}-/),
  ]);
  expect(await (await client.open()).storage.state.read(id)).toBe(null);
});

it('C-09 a run whose process lives goes on for days, whoever looks', async () => {
  const { swarm, clock, open, client } = await swarmScene(PARTS);
  const run = await swarm().start({ task: TASK });
  const other = open();
  const { storage } = await other.open();
  for (let hour = 0; hour < 3; hour++) {
    clock.advance(45_000);
    const now = clock.now();
    await vi.waitFor(async () => expect((await storage.runs.get(run.id))!.leaseUntil).toBeGreaterThan(now));
    expect(await other.runs.list()).toMatchObject([{ id: run.id, status: 'running' }]);
  }
  // A machine that slept: its own look does not kill it.
  clock.advance(3 * DAY);
  expect(await client.runs.list()).toMatchObject([{ id: run.id, status: 'running' }]);
  await run.complete();
});

it('C-09 a run that is kept through verbs alone lives for a day, also by changes of its state', async () => {
  const { client, clock } = await swarmScene(PARTS);
  const engine = await client.open();
  const start = async () => {
    const participants = [{ name: LEAD, role: 'lead' as const }];
    const input = { swarm: 'market', task: TASK, participants };
    return (await callVerb(verbs.swarmStart, engine, input, OWNER)).run.id;
  };
  const [dead, alive] = [await start(), await start()];
  clock.advance(DAY);
  await callVerb(verbs.stateSet, engine, { id: alive, path: 'still', value: 'here' }, OWNER);
  clock.advance(1);
  const statuses = async () => new Map((await client.runs.list()).map(({ id, status }) => [id, status]));
  expect(await statuses()).toEqual(new Map([...[[dead, 'failed'] as const], [alive, 'running']]));
  expect(await engine.storage.state.read(dead)).toBe(null);
  clock.advance(DAY);
  expect((await statuses()).get(alive)).toBe('failed');
});

it('C-09 whoever watches a run whose process died is told its end', async () => {
  const { client, clock } = await swarmScene(PARTS);
  const engine = await client.open();
  const input = {
    swarm: 'm',
    task: TASK,
    participants: [{ name: LEAD, role: 'lead' as const }],
    leaseMs: 1_000,
  };
  const { run } = await callVerb(verbs.swarmStart, engine, input, OWNER);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const watching = (await client.runs.get(run.id)).watchMessages()[Symbol.asyncIterator]().next();
  clock.advance(2_000);
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  expect(await watching).toMatchObject({ done: true });
});

it('C-14 C-26 what is spent is in the record at once, for every process', async () => {
  const { swarm, open } = await swarmScene(PARTS, { config: { models: { prices: priced(1) } } });
  const run = await swarm().start({ task: TASK });
  const other = await open().runs.get(run.id);
  const spent = () => vi.waitFor(async () => expect((await other.details()).usage.cost).toBeGreaterThan(0));
  await run.ask('researcher-1', 'Speak.');
  await spent();
  expect((await other.details()).usage).toMatchObject({ calls: 1, cost: 1, inputTokens: 1_000_000 });
  await other.cancel('Enough.');
  expect(await other.details()).toMatchObject({ status: 'cancelled', usage: { calls: 1, cost: 1 } });
});

it('C-26 a call that was under way when another process cancelled the run is counted too', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { swarm, open, client } = await swarmScene({
    ...PARTS,
    'researcher-2': () => {
      resolve();
      return { hang: true };
    },
  });
  const run = await swarm().start({ task: TASK });
  await run.ask('researcher-1', 'Speak.');
  const hanging = expect(run.ask('researcher-2', 'Speak.')).rejects.toMatchObject({ code: 'ABORTED' });
  await asked;
  await (await open().runs.get(run.id)).cancel('Enough.');
  await hanging;
  await client.close();
  const { usage } = await (await open().runs.get(run.id)).details();
  expect(usage).toMatchObject({ calls: 2, unfinished: 1, inputTokens: 1_000_000 });
});

it('C-26 reaching the budget ends a run that the program coordinates, and no further call begins', async () => {
  const { swarm, client, server } = await swarmScene(
    {
      ...PARTS,
      // Would go on for ever.
      'researcher-1': () => ({ ...call('state_get'), usage: dollar }),
      'researcher-2': () => ({ hang: true }),
    },
    { config: { models: { prices: priced(1) } } },
  );
  const run = await swarm({ budget: 3 }).start({ task: TASK });
  const refused = { code: 'ABORTED', message: expect.stringContaining('of its budget of $3.00') };
  const hanging = expect(run.ask('researcher-2', 'Speak.')).rejects.toMatchObject(refused);
  await expect(run.ask('researcher-1', 'Speak.')).rejects.toMatchObject(refused);
  await hanging;
  await vi.waitFor(() => expect(run.status).toBe('failed'));
  expect(await run.details()).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('of its budget of $3.00'),
    usage: { cost: 3 },
  });
  // Three calls of a dollar, and the one that was under way at that moment.
  expect(server.requests).toHaveLength(4);
  await expect(run.ask(LEAD, 'Sum up.')).rejects.toMatchObject(refused);
  expect(await run.complete('Too late.')).toBe(false);
  expect(server.requests).toHaveLength(4);
  expect(await client.memory.list({ source: 'swarm_result' })).toEqual([]);
});

it('C-12 C-13 C-14 C-19 run.complete(output) stores the result of a run that the program coordinates, and links it', async () => {
  const { swarm, client } = await swarmScene(PARTS, { config: { models: { prices: priced(0.5) } } });
  const first = await swarm().start({ task: 'How is hydrogen stored in Norway?' });
  await first.ask('researcher-1', 'Speak.');
  expect(await first.complete('Hydrogen is stored in caverns under the sea of Norway.')).toBe(true);
  expect(first.result).toMatchObject({ run: first.id, type: 'research', cost: 0.5, links: [] });
  expect(await first.details()).toMatchObject({ status: 'completed', result: first.result!.id });
  expect(await client.memory.get(first.result!.id)).toMatchObject({
    source: 'swarm_result',
    scope: 'swarm',
    agent: LEAD,
    metadata: { collection: 'swarm-memory', model: 'scripted/researcher-1', cost: 0.5 },
  });
  const second = await swarm({ type: 'debate', snapshot: true }).start({
    task: 'What of hydrogen in Norway?',
  });
  expect(second.earlier.map(({ id }) => id)).toEqual([first.result!.id]);
  await second.complete('It is kept in caverns.');
  expect(second.result).toMatchObject({ type: 'debate', links: [first.result!.id] });
  expect(await client.memory.list({ category: 'swarm-state' })).toHaveLength(1);
});

it('C-17 a lead stores one result for its run, while it runs, and no other', async () => {
  const { client } = await swarmScene(PARTS);
  const engine = await client.open();
  const lead = { viewer: { agent: LEAD, role: 'lead' }, via: 'http' } as const;
  const participants = [{ name: LEAD, role: 'lead' as const }];
  const { run } = await callVerb(verbs.swarmStart, engine, { swarm: 'm', task: TASK, participants }, lead);
  const keep = (output: string) => callVerb(verbs.swarmKeep, engine, { id: run.id, output }, lead);
  const kept = await keep('The result.');
  expect(await keep('The result.')).toEqual(kept);
  await expect(keep('Another one.')).rejects.toMatchObject({ code: 'CONFLICT' });
  await callVerb(verbs.swarmEnd, engine, { id: run.id, status: 'cancelled' }, lead);
  await expect(keep('Another one.')).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await client.memory.list({ source: 'swarm_result' })).toHaveLength(1);
});

it('C-03 what a swarm tells its participants about their part does not become a memory', async () => {
  const memory = { enabled: true, minMessagesToExtract: 1 };
  const reviewed: string[] = [];
  const review: Part = ({ messages }) => {
    const text = JSON.stringify(messages);
    if (text.includes('swarm-briefing')) return 'An answer.';
    reviewed.push(text);
    return '{"operations":[],"summary":"They spoke of hydrogen."}';
  };
  const { swarm, client, member } = await swarmScene({
    'researcher-1': review,
    'researcher-2': review,
    [LEAD]: review,
  });
  const members = [...WORKERS, LEAD].map((name) => member(name, { memory }));
  await swarm({ agents: members.slice(0, 2), lead: members[2]! }).run(TASK);
  const stored = await client.memory.list({ limit: 100 });
  expect(stored.filter(({ source }) => source === 'task_completion')).toHaveLength(3);
  expect(reviewed.length).toBeGreaterThan(0);
  const everything = JSON.stringify([stored, reviewed]);
  expect(everything).toContain(TASK);
  for (const orchestration of ['You are', 'the lead of', 'state_append', '## Findings', 'swarm-briefing'])
    expect(everything).not.toContain(orchestration);
});
