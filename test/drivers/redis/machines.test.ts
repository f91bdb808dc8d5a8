/** Two machines, each with a workspace of its own, that share a Redis: they see, change, hear and cancel each other's runs. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { type RedisServer, redisServer } from './server.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await redisServer();
});
afterAll(() => server.stop());

const open = (more: { readonly namespace?: string }) =>
  testWorkspace(new Date().toISOString()).open({
    config: { storage: { state: { driver: 'redis', url: server.url, ...more } } },
  });
const machine = () => open({ namespace: 'market' });
const alone = () => open({});

it('C-11 workspaces that share a Redis do not see each other unless they name the same namespace', async () => {
  const [one, two] = [alone(), alone()];
  const swarm = one.swarm({ name: 'market', agents: [{ name: 'scout' }], lead: { name: 'editor' } });
  const run = await swarm.start({ task: 'Look around.' });
  expect((await one.runs.list()).map(({ id }) => id)).toEqual([run.id]);
  for (const other of [two, machine()]) {
    expect(await other.runs.list()).toEqual([]);
    await expect(other.runs.get(run.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await run.cancel();
});

it("C-07 C-09 C-23 a run of one machine is everybody's to see and to cancel", async () => {
  const [here, there] = [machine(), machine()];
  const swarm = here.swarm({ name: 'market', agents: [{ name: 'scout' }], lead: { name: 'editor' } });
  const run = await swarm.start({ task: 'Look around.' });
  const [seen] = await there.runs.list({ status: 'running' });
  expect(seen).toMatchObject({ id: run.id, swarm: 'market', task: 'Look around.' });

  const handle = await there.runs.get(run.id);
  const heard: string[] = [];
  const first = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const { by, op, path } of run.state.watch({ after: 1 })) {
      heard.push(`${by} ${op} ${path}`);
      first.resolve();
    }
  })();
  await handle.stateAs('scout').append('/findings', 'It is quiet.');
  expect(await run.state.get('/findings')).toEqual(['It is quiet.']);

  await first.promise;
  expect(await handle.cancel('Enough.')).toBe(true);
  if (!run.signal.aborted) await once(run.signal, 'abort');
  await expect(run.ask('scout', 'Still there?')).rejects.toMatchObject({ code: 'ABORTED' });
  await listening;
  expect(heard).toEqual(['scout append /findings']);
  expect(await run.details()).toMatchObject({ status: 'cancelled', reason: 'Enough.' });
  await expect(run.state.get()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await there.runs.list({ status: 'running' })).toEqual([]);
});
