/** Going over to another embedding model on SQLite. */
import { join } from 'node:path';
import { describe } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { reEmbeddingStories } from './support/re-embedding-stories.ts';

describe('re-embedding in SQLite', () => {
  reEmbeddingStories(async () => {
    const file = join(temporaryFolder(), 'keepsake.db');
    return () => openSqlite({ file });
  });
});
