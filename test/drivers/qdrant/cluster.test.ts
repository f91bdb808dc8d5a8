/** Three nodes, every vector on two of them: the loss of any node loses nothing, and memory is searched meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRecord } from '../../../src/testing/conformance/drafts.ts';
import { type QdrantServer, qdrantCluster } from './server.ts';
import { at, databaseFile, near, Outside, openIndexed, settled, until } from './workbench.ts';

let nodes: QdrantServer[];
beforeAll(async () => {
  nodes = await qdrantCluster(3);
}, 60_000);
afterAll(() => Promise.all(nodes.map((node) => node.stop())));

it('a cluster of three goes on without any one of its nodes', { timeout: 120_000 }, async () => {
  const [url, ...others] = nodes.map((node) => node.url);
  const storage = await openIndexed(databaseFile(), { url: url!, nodes: others, replicas: 2 });
  const ids: string[] = [];
  const add = async (): Promise<void> => {
    ids.push((await addRecord(storage.records, { embedding: at(ids.length / 10) })).id);
  };
  for (let i = 0; i < 200; i++) await add();
  await settled(storage);
  const [name] = await new Outside(url!).collections(storage);
  const { config } = await new Outside(url!).client.getCollection(name!);
  expect(config.params.replication_factor).toBe(2);
  expect(config.params.shard_number).toBeGreaterThan(1);

  // The last one first: the one that is asked dies only when the others are whole again.
  for (const lost of [2, 1, 0]) {
    await nodes[lost]!.kill();
    expect(await near(storage)).toEqual(ids);
    for (let i = 0; i < 20; i++) await add();
    expect(await near(storage)).toEqual(ids);
    const survivor = new Outside(nodes[(lost + 1) % 3]!.url);
    await settled(storage);
    await until(async () => (await survivor.client.count(name!, { exact: true })).count === ids.length);
    expect(await near(storage)).toEqual(ids);
    expect((await storage.indexStatus!()).isUp).toBe(true);
    await nodes[lost]!.start();
    await until(() => isWhole(name!));
  }
  expect(await new Outside(url!).records(storage)).toEqual(ids);
});

/** Every copy of every part is in use. */
async function isWhole(name: string): Promise<boolean> {
  for (const { url } of nodes) {
    const answer = await fetch(`${url}/collections/${name}/cluster`).catch(() => undefined);
    if (!answer?.ok) return false;
    const { result } = (await answer.json()) as {
      result: Record<'local_shards' | 'remote_shards', { state: string }[]> & { shard_transfers: unknown[] };
    };
    const states = [...result.local_shards, ...result.remote_shards].map(({ state }) => state);
    if (states.some((state) => state !== 'Active') || result.shard_transfers.length > 0) return false;
  }
  return true;
}
