/** Three server processes that answer from memory: what one of them forgot, or what has expired, no other returns to who asks afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/index.ts';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { call, type Server, startServer } from './support/servers.ts';

const SECRETS = 45;
const DEADLINE_MS = 20_000;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await postgresServer();
});
afterAll(() => postgres.stop());

const SEARCH = '/v1/memory/search?q=secret+number&limit=100&all=true';

async function found(server: Server): Promise<Set<string>> {
  const answer = await call(server, SEARCH);
  expect(answer.status).toBe(200);
  return new Set(((await answer.json()) as MemoryRecord[]).map(({ id }) => id));
}

async function add(server: Server, content: string, more: object = {}): Promise<string> {
  const answer = await call(server, '/v1/memory', { content, scope: 'swarm', ...more });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as MemoryRecord).id;
}

/** Without its table of words, Postgres cannot search; whoever answers has them in memory. */
async function whenAllSearchInMemory(url: string, servers: readonly Server[]): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  const schema = new URL(url).searchParams.get('schema');
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    for (const server of servers) for (let i = 0; i < 20; i++) await call(server, SEARCH);
    await connection.query(`ALTER TABLE ${schema}.record_words RENAME TO words_away`);
    const answers = await Promise.all(servers.map((server) => call(server, SEARCH)));
    await connection.query(`ALTER TABLE ${schema}.words_away RENAME TO record_words`);
    if (answers.every(({ status }) => status === 200)) break;
    if (Date.now() > deadline) throw new Error('The servers did not begin to answer from memory.');
    await pause(200);
  }
  await connection.end();
}

it('is true whatever all of them write meanwhile', async () => {
  const url = postgres.url();
  const env = { KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: url };
  const servers = await Promise.all([startServer(env), startServer(env), startServer(env)]);
  const ids: string[] = [];
  for (let i = 0; i < SECRETS; i++)
    ids.push(await add(servers[i % 3]!, `The secret number ${i} is ${i * 7919}.`));
  await whenAllSearchInMemory(url, servers);
  for (const server of servers) expect((await found(server)).size).toBe(SECRETS);

  const gone = new Set<string>();
  await Promise.all(
    servers.map(async (server, own) => {
      for (const id of ids.filter((_, i) => i % 3 === own)) {
        const other = servers[(own + 1) % 3]!;
        const answer = await call(server, '/v1/memory/forget', { id });
        expect(answer.status).toBe(200);
        gone.add(id);
        const before = [...gone];
        const seen = await found(other);
        expect(before.filter((each) => seen.has(each))).toEqual([]);
        const added = await add(other, `A remark about the secret number of ${id}.`);
        expect(await found(server)).toContain(added);
      }
    }),
  );
  expect(gone.size).toBe(SECRETS);

  const expiresAt = new Date(Date.now() + 1_000).toISOString();
  const brief = await add(servers[0]!, 'The secret number of the day is 4.', { expiresAt });
  expect(await found(servers[1]!)).toContain(brief);
  while (Date.now() <= Date.parse(expiresAt)) await pause(50);
  for (const server of servers) expect(await found(server)).not.toContain(brief);
});
