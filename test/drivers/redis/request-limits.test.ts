/** Servers that share a Redis count the requests of a key together, and each by itself while Redis is away. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openRedis } from '../../../src/drivers/redis/index.ts';
import { RateLimit } from '../../../src/surfaces/http/rate-limit.ts';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { fakeClock } from '../../../src/testing/index.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { type RedisServer, redisServer } from './server.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await redisServer();
});
afterAll(() => redis.stop());

async function limitsOf({ url }: RedisServer) {
  const storage = await openRedis({ url });
  onTestFinished(() => storage.close());
  return storage.limits;
}

it('a bucket is one for all, for each key another, and full again by itself', async () => {
  const [here, there] = [await limitsOf(redis), await limitsOf(redis)];
  // So slowly that nothing comes in during the test.
  const laptop = { key: 'laptop', perSecond: 0.01, most: 10 };
  const waits = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? here : there).take(laptop)),
  );
  const refused = waits.filter((wait) => wait > 0);
  expect(refused).toHaveLength(10);
  for (const wait of refused) expect(wait).toBeLessThanOrEqual(100_000);
  const phone = { key: 'phone', perSecond: 10, most: 1 };
  expect(await there.take(phone)).toBe(0);
  await expect.poll(() => here.take(phone)).toBe(0);
});

/** How many of so many requests get through. */
async function passed(limit: RateLimit, requests: number): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: requests }, () => limit.take('laptop')));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

it('while Redis is away, a server counts by itself and keeps nobody waiting; then together with the others again', async () => {
  const own = await redisServer();
  onTestFinished(() => own.stop());
  const clock = fakeClock('2026-03-01T12:00:00Z');
  const [here, there] = [
    new RateLimit(clock, 5, await limitsOf(own)),
    new RateLimit(clock, 5, await limitsOf(own)),
  ];
  /** Whether they count together: ten for both, and what came in meanwhile. A server that had to wait counts by itself for a while. */
  const areTogether = async (): Promise<boolean> => {
    clock.advance(60_000);
    return (await passed(here, 30)) + (await passed(there, 30)) < 20;
  };
  await expect.poll(areTogether).toBe(true);
  own.pause();
  // Full again here, whatever had to be counted here before.
  clock.advance(60_000);
  expect([await passed(here, 20), await passed(there, 20)]).toEqual([10, 10]);
  own.resume();
  await expect.poll(areTogether).toBe(true);
});

it('two servers let through together what one may', async () => {
  const start = async () => {
    const { folder, open } = testWorkspace(new Date().toISOString());
    const state = { driver: 'redis', namespace: 'servers', url: redis.url } as const;
    const engine = await open({ config: { server: { requestsPerSecond: 5 }, storage: { state } } }).open();
    const server = await serve(engine, { port: 0, version: '0' });
    onTestFinished(() => server.stop());
    const key = readFileSync(server.serverKeyFile, 'utf8').trim();
    return { folder, url: server.url, key };
  };
  const servers = [await start(), await start()];
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const { url, key } = servers[i % 2]!;
      return fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${key}` } });
    }),
  );
  const statuses = answers.map(({ status }) => status);
  const through = statuses.filter((status) => status === 200).length;
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  // Ten at once, and five more in each second that it took.
  expect(through).toBeGreaterThanOrEqual(10);
  expect(through).toBeLessThan(20);
  expect(answers.find(({ status }) => status === 429)!.headers.get('retry-after')).toBe('1');
});
