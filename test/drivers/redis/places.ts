/** Empty places for tests: databases of a server of their own, or the one that REDIS_URL names, emptied after each test. */
import { createClient, createCluster } from 'redis';
import { givenRedis, redisServer } from './server.ts';

const CLUSTER = /^(rediss?)\+cluster:/;
const OURS = 'keepsake:*';

export interface Places {
  /** The address of a place with nothing of Keepsake in it. */
  take(): string;
  /** Nobody uses the last one any more. */
  giveBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function placesForTests(): Promise<Places> {
  return givenRedis === undefined ? ownPlaces() : givenPlace(givenRedis);
}

async function ownPlaces(): Promise<Places> {
  const server = await redisServer(['--databases', '100']);
  let count = 0;
  return { take: () => `${server.url}/${count++}`, giveBack: async () => {}, stop: () => server.stop() };
}

/** The part of a client that is used here. */
interface Node {
  sendCommand(args: string[]): Promise<unknown>;
}

async function givenPlace(url: string): Promise<Places> {
  const { nodes, close } = await connect(url);
  const perNode = await Promise.all(nodes.map(async (node) => (await keysOf(node)).length));
  const before = perNode.reduce((sum, count) => sum + count, 0);
  if (before > 0) {
    close();
    throw new Error(`REDIS_URL names a database with ${before} keys ${OURS}. Name one that has none.`);
  }
  const empty = async (): Promise<void> => {
    // One by one, because in a cluster each may belong to another part of it.
    for (const node of nodes) for (const key of await keysOf(node)) await node.sendCommand(['DEL', key]);
  };
  return {
    take: () => url,
    giveBack: empty,
    stop: async () => {
      await empty();
      close();
    },
  };
}

async function connect(url: string): Promise<{ nodes: Node[]; close(): void }> {
  if (!CLUSTER.test(url)) {
    const client = await createClient({ url }).connect();
    return { nodes: [client], close: () => client.destroy() };
  }
  const cluster = createCluster({ rootNodes: [{ url: url.replace(CLUSTER, '$1:') }] });
  await cluster.connect();
  const nodes = await Promise.all(cluster.masters.map((master) => cluster.nodeClient(master)));
  return { nodes, close: () => cluster.destroy() };
}

async function keysOf(node: Node): Promise<string[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = (await node.sendCommand(['SCAN', cursor, 'MATCH', OURS])) as [string, string[]];
    keys.push(...found);
    cursor = next;
  } while (cursor !== '0');
  return keys;
}
