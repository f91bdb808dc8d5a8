/** The Redis driver passes the suites of state, messages, runs and events, on a real server: its own, or that of REDIS_URL. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, withRedis } from '../../../src/drivers/redis/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import {
  eventStoreConformance,
  messageBusConformance,
  runStoreConformance,
  stateStoreConformance,
} from '../../../src/testing/index.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { type Places, placesForTests } from './places.ts';

let places: Places;

beforeAll(async () => {
  places = await placesForTests();
});
afterAll(() => places.stop());

async function open() {
  const url = places.take();
  return {
    storage: await openRedis({ url }),
    again: () => openRedis({ url }),
    remove: () => places.giveBack(),
  };
}

stateStoreConformance({
  ...{ describe, it, expect, open },
  diverges: {
    'sweeps what outlived its lease, and nothing else': 'Redis expires keys by its own clock',
  },
});
messageBusConformance({ describe, it, expect, open });
runStoreConformance({ describe, it, expect, open });

/** Events are in the main store; Redis wakes whoever waits for them. */
async function openBoth() {
  const url = places.take();
  const { folder, remove } = makeFolder();
  const openOne = async () => withRedis(await openSqlite({ file: join(folder, 'keepsake.db') }), { url });
  return {
    storage: await openOne(),
    again: openOne,
    remove: async () => {
      remove();
      await places.giveBack();
    },
  };
}
eventStoreConformance({ describe, it, expect, open: openBoth });
