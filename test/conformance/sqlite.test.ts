/** The SQLite engine passes the suites of all its stores, on real files. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import {
  eventStoreConformance,
  leaseStoreConformance,
  logStoreConformance,
  messageBusConformance,
  recordStoreConformance,
  runStoreConformance,
  stateStoreConformance,
} from '../../src/testing/index.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

async function open() {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'data', 'keepsake.db');
  return {
    storage: await openSqlite({ file }),
    again: () => openSqlite({ file }),
    remove: async () => remove(),
  };
}

const options = { describe, it, expect, open };

recordStoreConformance(options);
logStoreConformance(options);
stateStoreConformance(options);
messageBusConformance(options);
runStoreConformance(options);
eventStoreConformance(options);
leaseStoreConformance(options);
