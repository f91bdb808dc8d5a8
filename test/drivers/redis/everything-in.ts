/** Every key of a Redis database with everything that it holds, as text, to look for what must not be in it. */
import { createClient } from 'redis';

const READ: Readonly<Record<string, (key: string) => string[]>> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
  stream: (key) => ['XRANGE', key, '-', '+'],
};

export async function everythingIn(url: string): Promise<string> {
  const client = await createClient({ url }).connect();
  try {
    const lines: string[] = [];
    for await (const keys of client.scanIterator()) {
      for (const key of keys) {
        const type = await client.type(key);
        const read = READ[type];
        if (read === undefined) throw new Error(`${key} is a ${type}, which this helper cannot read.`);
        lines.push(`${key} ${JSON.stringify(await client.sendCommand(read(key)))}`);
      }
    }
    return lines.join('\n');
  } finally {
    client.destroy();
  }
}
