/** Subscribers of several servers hear of every event through Redis, and in the old way while it is away: none missed, none twice. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { type RedisServer, redisServer } from '../drivers/redis/server.ts';
import { temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';
import { call, follow, type Server, startRedisOnlyServer, startServer } from './support/servers.ts';

let postgres: PostgresServer;
let redis: RedisServer;
beforeAll(async () => {
  postgres = await postgresServer();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  const own = await redisServer();
  redis = own;
  return () => own.stop();
});

/** Numbers of the events that somebody hears who is connected to a server. */
function subscriber(server: Server): number[] {
  const seen: number[] = [];
  const stop = new AbortController();
  const following = follow(server, seen, stop.signal).catch(() => {});
  onTestFinished(async () => {
    stop.abort();
    await following;
  });
  return seen;
}

let written = 0;
/** Returns the number of its event. */
async function write(server: Server): Promise<number> {
  const answer = await call(server, '/v1/memory', { content: `Fact ${written++}.`, source: 'manual' });
  expect(answer.status).toBe(201);
  const events = await (await call(server, '/v1/events/read?limit=1000')).json();
  return (events as { seq: number }[]).at(-1)!.seq;
}

/** Each heard all up to the number, in order. */
async function allHear(subscribers: readonly number[][], seq: number): Promise<void> {
  while (subscribers.some((seen) => (seen.at(-1) ?? 0) < seq)) await pause(5);
  for (const seen of subscribers) expect(seen).toEqual(seen.map((_, i) => i + 1));
}

const STORES = {
  sqlite: () => join(temporaryWorkspace(), 'shared.db'),
  postgres: () => postgres.url(),
} as const;

describe.each(Object.keys(STORES) as (keyof typeof STORES)[])('on %s', (name) => {
  it('three servers that can hear through nothing else hear through Redis, and only while it is there', async () => {
    const store = STORES[name]();
    const start = () => startRedisOnlyServer(store, redis.url);
    const servers = [await start(), ...(await Promise.all([start(), start()]))];
    const [first, ...others] = servers as [Server, ...Server[]];
    const own = subscriber(first);
    const apart = others.map(subscriber);
    for (let i = 0; i < 20; i++) await allHear(apart, await write(servers[i % 3]!));

    await redis.kill();
    const unheard = await write(first);
    await allHear([own], unheard);
    for (const seen of apart) expect(seen.at(-1)).toBeLessThan(unheard);
    await redis.start();
    await allHear(apart, unheard);
    await allHear([own, ...apart], await write(others[0]!));
  });
});

it.each(Object.keys(STORES) as (keyof typeof STORES)[])(
  'three servers on %s, subscribers at each, and Redis dies and comes back under load: none missed, none twice',
  async (name) => {
    const cwd = temporaryWorkspace();
    const env = {
      ...(name === 'sqlite'
        ? {}
        : { KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: postgres.url() }),
      KEEPSAKE_STORAGE_STATE_DRIVER: 'redis',
      KEEPSAKE_STORAGE_STATE_URL: redis.url,
    };
    // On one machine, the same folder.
    const servers = [await startServer(env, cwd)];
    servers.push(...(await Promise.all([startServer(env, cwd), startServer(env, cwd)])));
    const subscribers = [...servers, ...servers].map(subscriber);
    let isOver = false;
    let acknowledged = 0;
    const writers = servers.map(async (server, writer) => {
      for (let i = 0; !isOver; i++) {
        const body = { content: `Fact ${i} of writer ${writer}.`, source: 'manual' };
        expect((await call(server, '/v1/memory', body)).status).toBe(201);
        acknowledged += 1;
      }
    });
    const more = async (count: number): Promise<void> => {
      const until = acknowledged + count;
      while (acknowledged < until) await pause(5);
    };
    await more(30);
    await redis.kill();
    await more(60);
    await redis.start();
    await more(60);
    isOver = true;
    await Promise.all(writers);
    await allHear(subscribers, acknowledged);
    await redis.kill();
    await allHear(subscribers, await write(servers[1]!));
    expect(subscribers.map(({ length }) => length)).toEqual(subscribers.map(() => acknowledged + 1));
  },
);
