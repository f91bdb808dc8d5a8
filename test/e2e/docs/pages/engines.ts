/** Pages whose readers have a server of Postgres, Redis or Qdrant; and those that move from one place to another. */

import { parse } from 'jsonc-parser';
import pg from 'pg';
import { createClient as createRedis } from 'redis';
import { expect, onTestFinished } from 'vitest';
import { type ConfigInput, createClient } from '../../../../src/index.ts';
import { scriptedEmbeddings } from '../../../../src/testing/index.ts';
import { playModels } from '../../../docs/support/models.ts';
import type { Look, Page, Pages } from '../../../docs/support/page.ts';
import type { World } from '../../../docs/support/world.ts';
import { postgresForTests, postgresServer } from '../../../drivers/postgres/server.ts';
import { qdrantServer } from '../../../drivers/qdrant/server.ts';
import { redisServer } from '../../../drivers/redis/server.ts';
import { chatExport } from '../../../users/support/chat-export.ts';

/** Settings of a page at work: a client with them remembers and shares a state, on the server that is there. */
async function work(settings: string, world: World): Promise<void> {
  const config = parse(settings, [], { allowTrailingComma: true }) as ConfigInput;
  await using client = createClient({ workspace: world.workspace(), config });
  const { memory } = client.agent({ name: 'my-agent' });
  await memory.add({ content: 'The harbour closes at six.' });
  expect(await memory.search('when does the harbour close?')).toHaveLength(1);
  const { run } = await (await client.open()).swarms.start(
    { swarm: 'x', type: 'x', task: 'Look.', participants: [{ name: 'my-agent', role: 'lead' }] },
    { viewer: { role: 'admin' }, via: 'sdk' },
  );
  const state = await (await client.runs.get(run.id)).state.read();
  expect(state.document).toMatchObject({ topic: 'Look.' });
}

const redis = async (): Promise<string> => {
  const server = await redisServer();
  onTestFinished(() => server.stop());
  return server.url;
};

export const onRedis: Look = async (text, world) =>
  work(text.replace('redis://127.0.0.1:6379', await redis()), world);

const REDIS: Page = {
  looks: {
    jsonc: [onRedis, onRedis],
    text: [
      async (text, world) => {
        const url = await redis();
        const owner = createRedis({ url });
        await owner.connect();
        expect(await owner.sendCommand(text.trim().split(' '))).toBe('OK');
        await owner.close();
        const user = url.replace('redis://', 'redis://keeper:secret@');
        await work(JSON.stringify({ storage: { state: { driver: 'redis', url: user } } }), world);
      },
    ],
  },
};

/** The server's own user is called as the page calls the one that it makes. */
async function withoutUser(port: number): Promise<void> {
  const address = (user: string): string => `postgresql://${user}@127.0.0.1:${port}/postgres`;
  for (const [user, statement] of [
    ['keepsake', 'CREATE ROLE administrator SUPERUSER LOGIN'],
    ['administrator', 'ALTER ROLE keepsake RENAME TO former'],
  ] as const) {
    const connection = new pg.Client(address(user));
    await connection.connect();
    await connection.query(statement);
    await connection.end();
  }
}

let port = 0;

const POSTGRES: Page = {
  ready: async ({ env }) => {
    const server = await postgresServer();
    onTestFinished(() => server.stop());
    port = server.port;
    await withoutUser(port);
    Object.assign(env, { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'administrator' });
    const base = `postgresql://administrator@127.0.0.1:${port}`;
    Object.assign(env, { OLD: `${base}/keepsake`, NEW: `${base}/fresh` });
  },
  change: (text) => text.replaceAll('127.0.0.1:5432', `127.0.0.1:${port}`),
  answers: { createuser: 'secret\nsecret\n' },
  before: {
    'sh 2': async (world, blocks) => {
      await work(blocks('jsonc')[0]!.replace('127.0.0.1:5432', `127.0.0.1:${port}`), world);
      expect((await world.type('createdb fresh')).code).toBe(0);
    },
  },
};

/** The commands of the page tell of another workspace than those before: four memories, of which one was changed. */
async function fourMemories(world: World): Promise<void> {
  world.cwd = world.workspace();
  await using client = createClient({ workspace: world.cwd });
  const { memory } = client.agent({ name: 'my-agent' });
  for (let i = 1; i <= 3; i++) await memory.add({ content: `Memory number ${i}.` });
  const { id } = await memory.add({ content: 'Memory number four.' });
  await memory.update(id, { content: 'Memory number 4.' });
}

let target = '';

const MOVING: Page = {
  ready: async (world) => {
    const server = await postgresForTests();
    target = server.url();
    await using client = createClient({ workspace: world.cwd });
    const { memory } = client.agent({ name: 'my-agent' });
    for (let i = 1; i <= 6; i++) await memory.add({ content: `Memory number ${i}.` });
  },
  change: (text) => text.replaceAll('postgresql://keepsake@db.example/keepsake', target),
  before: {
    'ts 1': (world) => {
      world.cwd = world.workspace();
    },
    'console 2': fourMemories,
    'console 3': async ({ env }) => {
      const server = await scriptedEmbeddings({ dimensions: 512 });
      onTestFinished(() => server.close());
      Object.assign(env, { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'not-a-real-one' });
    },
    'console 5': (world) => world.write('mem0.json', MEM0),
    'sh 1': async (world) => {
      world.write('chatgpt.zip', JSON.stringify(chatExport(30)));
      await playModels(world, () => ({ json: { operations: [] } }));
    },
  },
};

export const MEM0 = JSON.stringify({
  results: [
    { id: 'a', memory: 'Likes green tea.', user_id: 'ana', categories: ['food'] },
    { id: 'b', memory: 'Lives in Porto.', user_id: 'ana' },
  ],
  relations: [{ source: 'ana', relationship: 'knows', target: 'ben' }],
});

const QDRANT: Page = {
  ready: async (world, blocks) => {
    const server = await qdrantServer({ apiKey: 'not-a-real-one' });
    onTestFinished(() => server.stop());
    world.write('keepsake.jsonc', blocks('jsonc')[0]!.replace('http://127.0.0.1:6333', server.url));
  },
  elsewhere: { 'text 1': 'test/drivers/qdrant/guide.test.ts' },
};

export const ENGINES: Pages = {
  'docs/guides/moving.md': MOVING,
  'docs/guides/postgres.md': POSTGRES,
  'docs/guides/qdrant.md': QDRANT,
  'docs/guides/redis.md': REDIS,
};
