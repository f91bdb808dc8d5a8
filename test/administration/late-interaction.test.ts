/** Late interaction is switched on and off by one line of the configuration, and doctor says what it lacks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { workspaceDoctor } from '../../src/administration/doctor.ts';
import { useLateInteraction } from '../../src/administration/late-interaction-use.ts';
import { createClient } from '../../src/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { wordTokenModel } from '../records/support/word-token-model.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  // No models, wherever the user of this machine keeps theirs.
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  configure('none');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function configure(lateInteraction: string): void {
  const models = { embedding: 'none', lateInteraction };
  writeFileSync(join(folder, 'keepsake.jsonc'), JSON.stringify({ models }));
}

async function examined(fix = false) {
  const program = { version: '0', oldestNode: '20.0' };
  const { findings } = await workspaceDoctor({ workspace: folder, fix, now: Date.now(), program });
  return Object.fromEntries(
    findings
      .filter(({ check }) => check.startsWith('lateInteraction.') || check.startsWith('tokens.'))
      .filter(({ severity }) => severity !== 'ok')
      .map(({ check, message }) => [check, message]),
  );
}

/** Two memories, one of them read; the other was stored by a program without the model. */
async function halfRead(): Promise<void> {
  const client = createClient({ workspace: folder, lateInteraction: wordTokenModel() });
  await client.agent({ name: 'alice' }).memory.add({ content: 'A red car.', thread: 't' });
  await (await client.open()).lateInteraction!.drain();
  await client.close();
  await using plain = createClient({ workspace: folder });
  await plain.agent({ name: 'alice' }).memory.add({ content: 'A long walk.' });
}

it('refuses what is not there, and leaves the file alone', async () => {
  const file = join(folder, 'keepsake.jsonc');
  const before = readFileSync(file, 'utf8');
  await expect(useLateInteraction({ workspace: folder, name: 'minilm' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: expect.stringContaining('keepsake models pull minilm'),
  });
  await expect(useLateInteraction({ workspace: folder, name: 'bge-small' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    hint: expect.stringContaining('minilm'),
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('says what is missing, and searches without it meanwhile', async () => {
  await halfRead();
  configure('minilm');
  expect(await examined()).toEqual({
    'lateInteraction.model': expect.stringContaining(
      'The model "minilm" for late interaction is not on this machine',
    ),
    'lateInteraction.backlog': expect.stringContaining('1 memory waits for its token vectors'),
  });
  await using client = createClient({ workspace: folder });
  const { memory } = client.agent({ name: 'alice' });
  await memory.add({ content: 'A red lorry.' });
  const hits = await memory.search('red', { all: true });
  expect(hits).toHaveLength(2);
  expect(hits.notices).toEqual([
    expect.stringMatching(/^Ordered without late interaction\. .*models pull minilm/),
  ]);
});

it('removes its vectors when it is switched off', async () => {
  await halfRead();
  expect(await examined()).toEqual({ 'lateInteraction.unused': expect.stringContaining('1 memories') });
  expect(await useLateInteraction({ workspace: folder, name: 'none' })).toMatchObject({ removed: 1 });
  expect(await examined()).toEqual({});
});

it('keeps its vectors while a variable keeps the model in use', async () => {
  await halfRead();
  vi.stubEnv('KEEPSAKE_MODELS_LATE_INTERACTION', 'minilm');
  const used = await useLateInteraction({ workspace: folder, name: 'none' });
  expect(used).toMatchObject({ removed: 0, overriddenBy: 'KEEPSAKE_MODELS_LATE_INTERACTION' });
  vi.stubEnv('KEEPSAKE_MODELS_LATE_INTERACTION', 'none');
  expect(await useLateInteraction({ workspace: folder, name: 'none' })).toMatchObject({ removed: 1 });
});

it('finds and repairs what is wrong with token vectors', async () => {
  await halfRead();
  const { default: SqliteDatabase } = await import('better-sqlite3');
  const database = new SqliteDatabase(join(folder, 'data/keepsake.db'));
  database.pragma('foreign_keys = OFF');
  database.exec(`UPDATE record_tokens SET vectors = CAST(substr(vectors, 1, 7) AS BLOB);
    INSERT INTO record_tokens VALUES (9999, x'00'); DELETE FROM token_queue`);
  database.close();
  expect(Object.keys(await examined()).toSorted()).toEqual([
    'tokens.owners',
    'tokens.waiting',
    'tokens.whole',
  ]);
  await examined(true);
  const model = wordTokenModel();
  const client = createClient({ workspace: folder, lateInteraction: model });
  expect(await (await client.open()).lateInteraction!.drain()).toBe(2);
  await client.close();
  expect(Object.keys(await examined())).toEqual(['lateInteraction.unused']);
});
