/** Two hundred users of one agent with a secret in every layer: whatever is asked for one of them, no other's comes out. */
import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { Client, ClientOptions } from '../../../src/index.ts';
import { pathOf } from '../../../src/kernel/verb.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { VERBS as all } from '../../../src/verbs.ts';
import { type Schemas, schemasForTests } from '../../drivers/postgres/schemas.ts';
import { qdrantForTests } from '../../drivers/qdrant/server.ts';
import { Outside, settled } from '../../drivers/qdrant/workbench.ts';
import { hashModel } from '../../e2e/support/hash-model.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { testServer } from '../http/support/test-server.ts';
import { ATTEMPTS } from './attempts.ts';
import { COMMON } from './seed.ts';
import { type Person, readAll, secretsOfUsers, seedUser, userIds } from './users-seed.ts';

const USERS = 200;
/** Thousands of requests, on a machine that may have other work. */
const PATIENCE = { timeout: 240_000 };

async function seeded(client: Client, count: number): Promise<{ asking: Person; other: Person }[]> {
  const people: Person[] = [];
  for (const [i, user] of userIds(count).entries()) people.push(await seedUser(client, user, i));
  return people.map((asking, i) => ({ asking, other: people[(i + 1) % count]! }));
}

async function expectApart(
  client: Client,
  count: number,
  ready: (storage: Storage) => Promise<void> = async () => {},
): Promise<{ asking: Person; other: Person }[]> {
  const pairs = await seeded(client, count);
  const { embedder, storage } = await client.open();
  await embedder.drain();
  await ready(storage);
  for (const { asking, other } of pairs) {
    const told = await readAll(client.agent({ name: 'support', user: asking.user }), other);
    expect([asking.user, secretsOfUsers(told)]).toEqual([asking.user, [asking.secret]]);
  }
  expect(secretsOfUsers(await readAll(client.agent({ name: 'support' }), NOBODY))).toEqual([]);
  // Whoever was attacked still has everything.
  expect(await client.user('dana').memory.list()).toHaveLength(4);
  return pairs;
}

const NOBODY: Person = { user: '', secret: 'none', memory: 'mem_01ARZ3NDEKTSV4RRFFQ69G5FAV' };

it('200 users on SQLite are apart over the SDK and over every reading route of REST', PATIENCE, async () => {
  const server = await testServer();
  const pairs = await expectApart(server.client, USERS);
  const reading = all.filter(({ effect }) => effect === 'read');
  for (const { asking, other } of pairs) {
    const { user, secret } = asking;
    const { memory } = other;
    const victim = {
      agent: 'support',
      secret: '',
      memory,
      run: 'run_x',
      refused: 'q_x',
      session: 's',
      archive: 'a',
    };
    const headers = { 'keepsake-agent': 'support', 'keepsake-user': encodeURIComponent(user) };
    const ask = async (route: string, body?: object) =>
      (await server.ask(route, { key: server.ownerKey, headers, body })).text();
    const answers = await Promise.all([
      ...reading
        .filter(({ role }) => role !== 'admin')
        .flatMap((verb) => ATTEMPTS[verb.name]!(victim).map((body) => ask(`POST ${pathOf(verb)}`, body))),
      ...['GET /v1/memory', 'GET /v1/events/read?limit=1000', `GET /v1/memory/${memory}`].map((route) =>
        ask(route),
      ),
      ask(`GET /v1/memory/search?q=${encodeURIComponent(COMMON)}&limit=100`),
    ]);
    expect([user, secretsOfUsers(answers.join('\n'))]).toEqual([user, [secret]]);
  }
  expect(server.defects).toEqual([]);
});

let schemas: Schemas | undefined;
afterAll(() => schemas?.stop());

const opened = (options: ClientOptions): Client => testWorkspace().open(options);

it('20 users on Postgres are apart', PATIENCE, async () => {
  schemas = await schemasForTests();
  const client = opened({ config: { storage: { driver: 'postgres', url: schemas.take() } } });
  await expectApart(client, 20);
  await client.close();
});

it('20 users on SQLite with Qdrant are apart', PATIENCE, async () => {
  const { url } = await qdrantForTests();
  const prefix = `users-${process.pid}`;
  const outside = new Outside(url);
  onTestFinished(() => outside.drop(prefix));
  const config = { storage: { vectors: { driver: 'qdrant', url, prefix } } } as const;
  await expectApart(opened({ config, embedding: hashModel(0) }), 20, async (storage) => {
    await settled(storage);
    expect(await outside.records(storage)).toHaveLength(80);
  });
});
