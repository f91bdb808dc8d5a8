/** A server that stands still in the middle of a write holds up the others for less than two seconds. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { call, startServer } from './support/servers.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await postgresServer();
});
afterAll(() => postgres.stop());

it('a writer that is stopped inside of its transaction loses its lock, and writes again when it goes on', async () => {
  const env = { KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: postgres.url() };
  const [stopped, other] = await Promise.all([startServer(env), startServer(env)]);
  const watcher = new pg.Client(`postgresql://keepsake@127.0.0.1:${postgres.port}/postgres`);
  onTestFinished(() => watcher.end());
  await watcher.connect();
  const holding = `SELECT 1 FROM pg_stat_activity a JOIN pg_locks l USING (pid)
    WHERE a.application_name = 'keepsake' AND a.state = 'idle in transaction' AND l.granted
      AND l.mode = 'RowShareLock' AND l.relation::regclass::text LIKE '%lanes'`;
  // Stopped again and again until it was within a transaction: its lock is held, and nobody works for it.
  let isOver = false;
  const statuses: number[] = [];
  const writers = [0, 1, 2].map(async (writer) => {
    for (let i = 0; !isOver; i++) {
      statuses.push(
        (await call(stopped, '/v1/memory', { content: `Fact ${i} of writer ${writer}.` })).status,
      );
    }
  });
  for (;;) {
    stopped.child.kill('SIGSTOP');
    await pause(30);
    if ((await watcher.query(holding)).rowCount !== 0) break;
    stopped.child.kill('SIGCONT');
    await pause(7);
  }
  const began = performance.now();
  expect((await call(other, '/v1/memory', { content: 'The other server goes on.' })).status).toBe(201);
  expect(performance.now() - began).toBeLessThan(2_500);
  stopped.child.kill('SIGCONT');
  const before = statuses.length;
  await expect.poll(() => statuses.length, { timeout: 10_000 }).toBeGreaterThan(before + 5);
  isOver = true;
  await Promise.all(writers);
  expect(new Set(statuses)).toEqual(new Set([201]));
});
