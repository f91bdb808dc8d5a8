/** Going over to another embedding model on SQLite, searched through Qdrant. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { reEmbeddingStories } from '../../records/support/re-embedding-stories.ts';
import { type QdrantServer, qdrantForTests } from './server.ts';
import { Outside, PREFIX } from './workbench.ts';

let server: Pick<QdrantServer, 'url'>;

beforeAll(async () => {
  server = await qdrantForTests();
});
afterAll(async () => {
  await new Outside(server.url).drop(PREFIX);
});

describe('re-embedding with Qdrant', () => {
  reEmbeddingStories(async () => {
    const file = join(temporaryFolder(), 'keepsake.db');
    return async () => withQdrant(await openSqlite({ file }), { url: server.url, prefix: PREFIX });
  });
});
