/** Expired memories are erased only when someone asks, and only those that he may change. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent } from '../fixtures/workspace.ts';

const contents = (records: readonly { content: string }[]): string[] =>
  records.map(({ content }) => content).toSorted();

it('E-18 E-20 shows first, then erases what has expired and nothing else', async () => {
  const { memory, clock } = testAgent();
  const over = await memory.add({ content: 'over', source: 'session_summary' });
  await memory.add({ content: 'lives longer', source: 'task_completion' });
  const fact = await memory.add({ content: 'a fact' });
  clock.set(clock.now() + 3 * DAY - 1);
  expect(await memory.forgetExpired({ dryRun: true })).toEqual({ expired: [], erased: 0 });
  clock.advance(1);
  const shown = await memory.forgetExpired({ dryRun: true });
  expect([contents(shown.expired), shown.erased]).toEqual([['over'], 0]);
  expect(await memory.get(over.id)).toMatchObject({ state: 'expired', content: 'over' });

  const erased = await memory.forgetExpired();
  expect([contents(erased.expired), erased.erased]).toEqual([['over'], 1]);
  expect(await memory.get(over.id)).toMatchObject({ state: 'forgotten', content: '' });
  expect(await memory.get(fact.id)).toMatchObject({ state: 'live' });
  expect(contents(await memory.list())).toEqual(['a fact', 'lives longer']);
  expect(await memory.forgetExpired()).toEqual({ expired: [], erased: 0 });
});

it('keeps to a source and to a time', async () => {
  const { memory, clock } = testAgent();
  const start = clock.now();
  await memory.add({ content: 'summary', source: 'session_summary' });
  await memory.add({ content: 'task', source: 'task_completion' });
  clock.set(start + 8 * DAY);
  expect(contents((await memory.forgetExpired({ dryRun: true, source: 'task_completion' })).expired)).toEqual(
    ['task'],
  );
  expect(contents((await memory.forgetExpired({ dryRun: true, before: start + 3 * DAY })).expired)).toEqual(
    [],
  );
  expect(
    contents((await memory.forgetExpired({ dryRun: true, before: start + 3 * DAY + 1 })).expired),
  ).toEqual(['summary']);
  expect(contents((await memory.forgetExpired({ dryRun: true })).expired)).toEqual(['summary', 'task']);
});

it('erases only what the caller may change', async () => {
  const { client, memory, clock } = testAgent();
  const bob = client.agent({ name: 'bob' }).memory;
  const add = (who: typeof bob, content: string, scope: 'agent' | 'swarm') =>
    who.add({ content, scope, expiresAt: clock.now() + 1 });
  await add(memory, 'mine', 'agent');
  await add(memory, 'mine, shared', 'swarm');
  const foreign = await add(bob, 'private to bob', 'agent');
  const lent = await add(bob, 'shared by bob', 'swarm');
  clock.advance(1);
  const lead = client.agent({ name: 'carol', role: 'lead' }).memory;
  expect(contents((await lead.forgetExpired({ dryRun: true })).expired)).toEqual([
    'mine, shared',
    'shared by bob',
  ]);
  expect(contents((await memory.forgetExpired()).expired)).toEqual(['mine', 'mine, shared']);
  expect(await client.memory.get(foreign.id)).toMatchObject({ state: 'expired', content: 'private to bob' });
  expect(await client.memory.get(lent.id)).toMatchObject({ state: 'expired', content: 'shared by bob' });
  expect(contents((await client.memory.forgetExpired()).expired)).toEqual([
    'private to bob',
    'shared by bob',
  ]);
});

it('leaves what was superseded, which is the past of a living fact', async () => {
  const { memory, clock } = testAgent();
  const old = await memory.add({ content: 'Anna lives in Berlin' });
  const then = clock.now();
  clock.advance(DAY);
  await memory.add({ content: 'Anna lives in Lisbon', supersedes: old.id });
  expect(await memory.forgetExpired()).toEqual({ expired: [], erased: 0 });
  expect(contents(await memory.search('where does Anna live', { asOf: then }))).toEqual([
    'Anna lives in Berlin',
  ]);
});

it('leaves nothing behind in the files', async () => {
  const { memory, client, clock, bytes } = testAgent();
  await memory.add({ content: 'the xylophone solo', expiresAt: clock.now() + 1 });
  await memory.search('xylophone');
  clock.advance(1);
  await memory.forgetExpired();
  await client.close();
  expect(bytes()).not.toMatch(/xylophone/i);
});
