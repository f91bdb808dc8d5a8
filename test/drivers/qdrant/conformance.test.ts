/** SQLite with Qdrant as the index of its vectors passes the same suite as SQLite alone. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { recordStoreConformance } from '../../../src/testing/index.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { type QdrantServer, qdrantForTests } from './server.ts';
import { Outside, PREFIX } from './workbench.ts';

let server: Pick<QdrantServer, 'url'>;

beforeAll(async () => {
  server = await qdrantForTests();
});
afterAll(async () => {
  await new Outside(server.url).drop(PREFIX);
});

async function open() {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'keepsake.db');
  const again = async () => withQdrant(await openSqlite({ file }), { url: server.url, prefix: PREFIX });
  return { storage: await again(), again, remove: async () => remove() };
}

recordStoreConformance({ describe, it, expect, open });
