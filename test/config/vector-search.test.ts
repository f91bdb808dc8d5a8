/** storage.sqlite.vectorSearch: sqlite-vec by configuration, and another way where it cannot be loaded. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import { usableSearch } from '../../src/drivers/sqlite/vectors/index.ts';
import { createClient } from '../../src/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

for (const vectorSearch of ['wasm', 'plain', 'sqlite-vec'] as const) {
  it(`E-03 E-04 ${vectorSearch} by configuration finds the same`, async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): void => void warnings.push(warning);
    process.on('warning', hear);
    const config = { storage: { sqlite: { vectorSearch } } };
    await using client = createClient({ workspace: join(temporaryFolder(), 'w'), config });
    const { memory } = client.agent({ name: 'alice' });
    await memory.add({ content: 'The physician recommends rest.' });
    await memory.add({ content: 'The train leaves at nine.' });
    await (await client.open()).embedder.drain();
    const [best] = await memory.search('What did the doctor say?', { limit: 1 });
    expect(best?.content).toBe('The physician recommends rest.');
    process.off('warning', hear);
    // Here the extension is installed; where it is not, the same search goes on with a warning.
    expect(warnings.filter(({ name }) => name === 'KeepsakeWarning')).toEqual([]);
  });
}

it('E-04 falls back with a warning where the extension cannot be loaded, and fails where no fallback is wanted', async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on('warning', hear);
  const database = new SqliteDatabase(':memory:');
  database.loadExtension = () => {
    throw new Error('no such file\nRequire stack:\n- /somewhere/engine.js');
  };
  expect(await usableSearch(database, 'sqlite-vec', true)).toBe('wasm');
  await expect(usableSearch(database, 'sqlite-vec', false)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect
    .poll(() => warnings.map(({ message }) => message))
    .toEqual(['sqlite-vec cannot be loaded, so vectors are searched with "wasm" (no such file).']);
  process.off('warning', hear);
  database.close();
});
