/** Forgetting in a database that is too large to be rewritten at once, and how the doctor finishes the job. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createClient } from '../../../../src/index.ts';

let folder: string;
let client: Client;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-traces-'));
  // Neither judges nor embeds the bulk: forgetting has nothing to do with either, and both read every character.
  client = createClient({
    workspace: folder,
    config: { guard: { enabled: false }, models: { embedding: 'none' } },
  });
});

afterEach(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a forget in a large database says that traces may be left, and doctor --fix wipes them', async () => {
  const { memory } = client.agent({ name: 'hoarder' });
  // One long "word" each, so that the index stays small and the file still grows beyond 64 MiB.
  const bulk = Array.from({ length: 80 }, (_, i) => memory.add({ content: `${i}${'x'.repeat(900_000)}` }));
  await Promise.all(bulk);
  const secret = await memory.add({ content: 'the vault opens with zanzibarine' });
  const erased = await memory.forget(secret.id);
  expect(erased).toMatchObject({ journalErased: true, pagesErased: false });

  const { storage } = await client.open();
  const traces = async (fix: boolean) => {
    const findings = await storage.maintenance.examine({ fix, now: Date.now() });
    return findings.find(({ check }) => check === 'records.traces');
  };
  expect(await traces(false)).toMatchObject({ severity: 'notice', fixable: true });
  expect(await traces(true)).toMatchObject({ fixed: true });
  expect(await traces(false)).toMatchObject({ severity: 'ok' });

  await client.close();
  const bytes = readFileSync(join(folder, 'data', 'keepsake.db'));
  expect(bytes.includes('zanzibarin')).toBe(false);
}, 120_000);
