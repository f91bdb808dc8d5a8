/** The Redis driver passes the suites of state, messages and runs, on a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis } from '../../../src/drivers/redis/index.ts';
import {
  messageBusConformance,
  runStoreConformance,
  stateStoreConformance,
} from '../../../src/testing/index.ts';
import { type RedisServer, redisServer } from './server.ts';

let server: RedisServer;
let count = 0;

beforeAll(async () => {
  server = await redisServer(['--databases', '100']);
});
afterAll(() => server.stop());

/** Each test has a database of its own. */
async function open() {
  const url = `${server.url}/${count++}`;
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
