/** Several servers on one Postgres and one Redis: what one is told, all know, and the death of one takes nothing with it. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient, type MemoryRecord } from '../../src/index.ts';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { type RedisServer, redisServer } from '../drivers/redis/server.ts';
import { call, follow, type Server, startServer } from './support/servers.ts';

let postgres: PostgresServer;
let redis: RedisServer;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([
    postgresServer({ durable: true }),
    redisServer(['--appendonly', 'yes', '--appendfsync', 'always']),
  ]);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

const environment = (): Record<string, string> => ({
  KEEPSAKE_STORAGE_DRIVER: 'postgres',
  KEEPSAKE_STORAGE_URL: postgres.url(),
  KEEPSAKE_STORAGE_STATE_DRIVER: 'redis',
  KEEPSAKE_STORAGE_STATE_URL: redis.url,
});

it('three servers answer as one, and one of them dies under load', async () => {
  const env = environment();
  const [first, second, third] = await Promise.all([startServer(env), startServer(env), startServer(env)]);
  const told = await call(first, '/v1/memory', { content: 'The deploy key lives in the blue vault.' });
  expect(told.status).toBe(201);
  const found = await call(second, '/v1/memory/search?q=where+is+the+deploy+key');
  const [hit] = (await found.json()) as MemoryRecord[];
  expect(hit?.content).toBe('The deploy key lives in the blue vault.');

  const stop = new AbortController();
  const seen: number[] = [];
  const following = follow(third, seen, stop.signal).catch(() => {});
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = [first, first, second, second].map(async (server, writer) => {
    for (let i = 0; !isOver; i++) {
      const body = { content: `Fact ${i} of writer ${writer}.`, source: 'manual' };
      const answer = await call(server, '/v1/memory', body).catch(() => undefined);
      if (answer?.status === 201) acknowledged.push(((await answer.json()) as MemoryRecord).id);
      else await pause(20);
    }
  });
  while (acknowledged.length < 40) await pause(5);
  first.child.kill('SIGKILL');
  const before = acknowledged.length;
  while (acknowledged.length < before + 20) await pause(5);
  isOver = true;
  await Promise.all(writers);

  for (const id of acknowledged)
    expect([id, (await call(third, `/v1/memory/${id}`)).status]).toEqual([id, 200]);
  const latest = acknowledged.length + 1;
  while ((seen.at(-1) ?? 0) < latest) await pause(5);
  stop.abort();
  await following;
  // In order, and none is missing: numbers of what nobody was told of may come on top.
  expect(seen).toEqual(seen.map((_, i) => i + 1));
});

/** A swarm that works through a server. */
function swarmAt({ url, key }: Server) {
  const client = createClient({ url, apiKey: key });
  onTestFinished(() => client.close());
  return {
    client,
    swarm: client.swarm({ name: 's', agents: [{ name: 'scout' }], lead: { name: 'editor' } }),
  };
}

it('the working memory of a run is shared by all servers, outlives the one where it began, and needs Redis alone', async () => {
  const env = environment();
  const [first, second] = await Promise.all([startServer(env), startServer(env)]);
  const run = await swarmAt(first).swarm.start({ task: 'Look around.' });
  await run.state.append('findings', 'said to the first');
  const { client } = swarmAt(second);
  const handle = await client.runs.get(run.id);
  await handle.stateAs('scout').append('/findings', 'said to the second');
  expect(await run.state.get('/findings')).toEqual(['said to the first', 'said to the second']);
  first.child.kill('SIGKILL');
  await handle.stateAs('scout').append('/findings', 'said after its death');
  expect(await handle.stateAs('scout').get('/findings')).toHaveLength(3);

  // Without Redis, memory is there all the same; without Postgres, nothing pretends to be.
  await redis.kill();
  expect((await call(second, '/v1/memory', { content: 'Redis is away.' })).status).toBe(201);
  await expect(handle.stateAs('scout').get('/findings')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await redis.start();
  await expect
    .poll(
      () =>
        handle
          .stateAs('scout')
          .get('/findings')
          .catch(() => []),
      { timeout: 5_000 },
    )
    .toHaveLength(3);
  await postgres.kill();
  const refused = await call(second, '/v1/memory', { content: 'Postgres is away.' });
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringContaining('Postgres at 127.0.0.1'),
  ]);
  await postgres.start();
  await expect
    .poll(async () => (await call(second, '/v1/memory/search?q=redis')).status, { timeout: 5_000 })
    .toBe(200);
});
