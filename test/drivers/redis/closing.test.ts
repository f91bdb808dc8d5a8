/** A connection that is closed while it is being opened leaves no socket behind, which would keep a command from ending. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisConnection } from '../../../src/drivers/redis/connection.ts';
import { type RedisServer, redisServer } from './server.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await redisServer([]);
});
afterAll(() => server.stop());

it('closes at any moment of connecting', async () => {
  const observer = await RedisConnection.open(server.url);
  const connected = async () =>
    String(await observer.command('CLIENT', 'LIST'))
      .trim()
      .split('\n').length;
  expect(await connected()).toBe(1);
  for (const ms of [undefined, 0, 0, 1, 1, 2, 3, 5, 10, 50]) {
    const connection = await RedisConnection.open(server.url);
    const waiting = connection.blocking();
    if (ms !== undefined) await pause(ms);
    if (ms === 2) waiting.stop();
    connection.close();
  }
  await expect.poll(connected, { timeout: 5_000 }).toBe(1);
  observer.close();
});
