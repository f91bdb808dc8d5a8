/** The block `storage.vectors`: an index beside the engine, named by a URL. */
import { describe, expect, test, vi } from 'vitest';
import { workspaceConfig } from '../../src/administration/config.ts';
import { loadConfig, parseConfig } from '../../src/config/load.ts';
import { openStorage } from '../../src/config/registry.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const url = 'http://127.0.0.1:6333';

describe('storage.vectors', () => {
  test('is an index beside the engine, which stays what it is', () => {
    expect(parseConfig().storage.vectors).toBeUndefined();
    const { storage } = parseConfig({ storage: { vectors: { driver: 'qdrant', url } } });
    expect(storage).toMatchObject({
      records: { driver: 'sqlite' },
      vectors: { driver: 'qdrant', url, nodes: [], prefix: 'keepsake', words: true, replicas: 1 },
    });
  });

  test('needs an address, which may come from the environment with its key', () => {
    expect(() => parseConfig({ storage: { vectors: { driver: 'qdrant' } } })).toThrow(
      'storage.vectors.driver: "qdrant" needs a URL; set "storage.vectors.url" or the environment variable KEEPSAKE_STORAGE_VECTORS_URL',
    );
    const env = { KEEPSAKE_STORAGE_VECTORS_URL: url, KEEPSAKE_STORAGE_VECTORS_API_KEY: 'secret' };
    const { config, warnings } = loadConfig({ workspace: temporaryFolder(), env });
    expect(config.storage.vectors).toMatchObject({ driver: 'qdrant', url, apiKey: 'secret' });
    expect(warnings).toEqual([]);
  });

  test('refuses what cannot be an address or a name of a collection', () => {
    for (const vectors of [{ url: 'redis://localhost' }, { url, prefix: 'a/b' }, { url, replicas: 0 }]) {
      expect(() => parseConfig({ storage: { vectors } })).toThrow();
    }
  });

  test('a key is never shown', () => {
    const workspace = temporaryFolder();
    vi.stubEnv('KEEPSAKE_STORAGE_VECTORS_URL', url);
    vi.stubEnv('KEEPSAKE_STORAGE_VECTORS_API_KEY', 'the-secret');
    try {
      const { settings } = workspaceConfig({ workspace });
      expect(settings.find(({ key }) => key === 'storage.vectors.apiKey')).toMatchObject({
        value: '***',
        origin: 'environment',
      });
      expect(JSON.stringify(settings)).not.toContain('the-secret');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('a password in the address is refused without showing it', async () => {
    const { storage } = parseConfig({ storage: { vectors: { url: 'http://me:hidden@127.0.0.1:1' } } });
    const opening = openStorage({ storage, database: `${temporaryFolder()}/keepsake.db` });
    await expect(opening).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.not.stringContaining('hidden'),
    });
  });
});
