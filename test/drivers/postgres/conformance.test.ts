/** The Postgres driver passes the suites of all its stores, on a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import {
  eventStoreConformance,
  itemStoreConformance,
  leaseStoreConformance,
  logStoreConformance,
  messageBusConformance,
  recordStoreConformance,
  runStoreConformance,
  stateStoreConformance,
} from '../../../src/testing/index.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

let schemas: Schemas;

beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

async function open() {
  const url = schemas.take();
  return {
    storage: await openPostgres({ url }),
    again: () => openPostgres({ url }),
    remove: () => schemas.giveBack(url),
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
itemStoreConformance(options);
