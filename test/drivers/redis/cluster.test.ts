/** The suites on a cluster of three nodes, where every key lives on one of them; and users that may only do some things. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRedis, withRedis } from '../../../src/drivers/redis/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { eventDraft } from '../../../src/testing/conformance/drafts.ts';
import {
  eventStoreConformance,
  messageBusConformance,
  runStoreConformance,
  stateStoreConformance,
} from '../../../src/testing/index.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { type RedisServer, redisServer } from './server.ts';

/** Of Debian's package redis-tools. */
const CLI = 'redis-cli';
const cli = (port: number, ...args: string[]): string =>
  execFileSync(CLI, ['-p', String(port), ...args], { encoding: 'utf8' });

describe('a cluster', () => {
  let nodes: RedisServer[] = [];

  beforeAll(async () => {
    nodes = await Promise.all(
      [1, 2, 3].map(() => redisServer(['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'])),
    );
    cli(
      nodes[0]!.port,
      '--cluster',
      'create',
      ...nodes.map(({ port }) => `127.0.0.1:${port}`),
      '--cluster-yes',
    );
    const isWhole = ({ port }: RedisServer): boolean =>
      cli(port, 'CLUSTER', 'INFO').includes('cluster_state:ok');
    while (!nodes.every(isWhole)) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  });

  async function open() {
    for (const { port } of nodes) cli(port, 'FLUSHALL');
    const url = nodes[0]!.url.replace('redis:', 'redis+cluster:');
    return { storage: await openRedis({ url }), again: () => openRedis({ url }) };
  }

  stateStoreConformance({
    ...{ describe, it, expect, open },
    diverges: {
      'sweeps what outlived its lease, and nothing else': 'Redis expires keys by its own clock',
    },
  });
  messageBusConformance({ describe, it, expect, open });
  runStoreConformance({ describe, it, expect, open });
  eventStoreConformance({
    ...{ describe, it, expect },
    open: async () => {
      const url = nodes[1]!.url.replace('redis:', 'redis+cluster:');
      const { folder, remove } = makeFolder();
      const again = async () => withRedis(await openSqlite({ file: join(folder, 'keepsake.db') }), { url });
      return { storage: await again(), again, remove: async () => remove() };
    },
  });

  it('counts requests together, whichever node has the key', async () => {
    const { storage, again } = await open();
    const other = await again();
    onTestFinished(() => Promise.all([storage.close(), other.close()]).then(() => {}));
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      const allowance = { key, perSecond: 1, most: 2 };
      expect(await storage.limits.take(allowance)).toBe(0);
      expect(await other.limits.take(allowance)).toBe(0);
      expect(await storage.limits.take(allowance)).toBeGreaterThan(0);
    }
  });

  it('spreads runs over its nodes', async () => {
    const { storage } = await open();
    onTestFinished(() => storage.close());
    const at = Date.now();
    for (let i = 0; i < 20; i++) {
      await storage.state.create({ run: `run_${i}`, document: {}, by: 'x', at, leaseUntil: at + 60_000 });
    }
    const sizes = nodes.map(({ port }) => Number(cli(port, 'DBSIZE')));
    expect(sizes.every((size) => size > 0)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(40);
  });

  it('loses a node and has it back: an error or an answer in time for each run, and all of them afterwards', async () => {
    const { storage } = await open();
    onTestFinished(() => storage.close());
    const at = Date.now();
    const runs = Array.from({ length: 12 }, (_, i) => `run_${i}`);
    for (const run of runs)
      await storage.state.create({ run, document: { run }, by: 'x', at, leaseUntil: at + 60_000 });
    const read = (run: string): Promise<unknown> =>
      storage.state.read(run).then(
        () => 'answered',
        ({ code }) => code,
      );
    await nodes[2]!.kill();
    const meanwhile = await Promise.all(runs.map(read));
    expect(new Set([...meanwhile, 'UNAVAILABLE', 'answered'])).toEqual(new Set(['UNAVAILABLE', 'answered']));
    expect(meanwhile).toContain('UNAVAILABLE');
    await nodes[2]!.start();
    const everyone = () => Promise.all(runs.map(read));
    // What the node had was in its memory only.
    await expect.poll(everyone, { timeout: 20_000, interval: 200 }).toEqual(runs.map(() => 'answered'));
    await storage.state.create({ run: 'new', document: {}, by: 'x', at, leaseUntil: at + 60_000 });
  });
});

it('works for a user that may touch nothing but its own keys, and says so when the password is wrong', async () => {
  const server = await redisServer();
  cli(server.port, 'ACL', 'SETUSER', 'keeper', 'on', '>secret', '~keepsake:*', '+@all', '-@admin');
  cli(server.port, 'ACL', 'SETUSER', 'default', 'off');
  onTestFinished(() => server.stop());
  const as = async (login: string) => {
    const storage = await openRedis({ url: server.url.replace('//', `//${login}@`) });
    onTestFinished(() => storage.close());
    return storage;
  };
  const at = Date.now();
  const draft = { run: 'run_1', document: { a: 1 }, by: 'x', at, leaseUntil: at + 60_000 };
  const { state, limits } = await as('keeper:secret');
  await state.create(draft);
  expect(await state.read('run_1')).toMatchObject({ document: { a: 1 } });
  expect(await limits.take({ key: 'laptop', perSecond: 5, most: 10 })).toBe(0);
  const { folder, remove } = makeFolder();
  const main = () => openSqlite({ file: join(folder, 'keepsake.db') });
  const handle = async () => withRedis(await main(), { url: server.url.replace('//', '//keeper:secret@') });
  const [here, there] = [await handle(), await handle()];
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()]);
    remove();
  });
  const heard = Promise.withResolvers<number>();
  there.events.listen!((seq) => seq > 0 && heard.resolve(seq));
  await here.events.append([eventDraft()]);
  expect(await heard.promise).toBe(1);
  const stranger = await as('keeper:wrong');
  await expect(stranger.state.read('run_1')).rejects.toMatchObject({
    code: 'PERMISSION',
    hint: expect.stringContaining('a user and a password'),
  });
});
