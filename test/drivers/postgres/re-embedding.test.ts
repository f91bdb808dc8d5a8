/** Going over to another embedding model on Postgres. */
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { reEmbeddingStories } from '../../records/support/re-embedding-stories.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

describe('re-embedding in Postgres', () => {
  reEmbeddingStories(async () => {
    const url = schemas.take();
    return () => openPostgres({ url });
  });
});
