/** What the guide shows is what happens: its configuration works, and doctor says these words. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examineStorage } from '../../../src/config/registry.ts';
import type { ConfigInput } from '../../../src/index.ts';
import { snippetsOf } from '../../docs/support/snippets.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { type QdrantServer, qdrantServer } from './server.ts';
import { Outside, settled, until } from './workbench.ts';

const page = 'docs/guides/qdrant.md';
const snippets = snippetsOf(page, readFileSync(join(import.meta.dirname, '../../..', page), 'utf8'));
const shown = (language: string): string => snippets.find((each) => each.language === language)!.text;

let server: QdrantServer;
beforeAll(async () => {
  server = await qdrantServer();
});
afterAll(() => server.stop());

const SIGNS = { ok: '✓', notice: '!', problem: '✗' };

it('memory is searched through Qdrant, by words and meaning, goes on without it, and forgets there too', async () => {
  const workspace = testWorkspace();
  const address = 'http://127.0.0.1:6333';
  const config = JSON.parse(shown('jsonc').replace(address, server.url)) as ConfigInput;
  const client = workspace.open({ config });
  const { memory } = client.agent({ name: 'alice' });
  const bread = await memory.add({ content: 'The best bakery is in Baker Street.', category: 'places' });
  await memory.add({ content: 'The train to Basel leaves at seven.', category: 'travel' });
  const { storage } = await client.open();
  const outside = new Outside(server.url);
  await until(async () => (await outside.records(storage)).length === 2);
  await settled(storage);
  expect((await memory.search('where to buy bread?'))[0]?.id).toBe(bread.id);
  expect((await memory.search('bread', { categories: ['travel'] })).map(({ id }) => id)).not.toContain(
    bread.id,
  );

  await server.kill();
  await memory.add({ content: 'Alice likes rye bread.', category: 'preference' });
  await memory.forget(bread.id);
  expect((await memory.search('which bread?'))[0]?.content).toBe('Alice likes rye bread.');
  await until(async () => (await storage.feed!.backlog()) === 2);
  await client.close();

  const { config: resolved, paths } = await workspace.open({ config }).open();
  const place = { storage: resolved.storage, database: paths.database };
  const findings = await examineStorage(place, { fix: false, now: workspace.clock.now() });
  const lines = findings
    .filter(({ check }) => check.startsWith('qdrant.'))
    .flatMap(({ severity, message, hint }) => [`  ${SIGNS[severity]} ${message}`, `    hint: ${hint}`]);
  expect(['Qdrant', ...lines, ''].join('\n').replace(new URL(server.url).host, new URL(address).host)).toBe(
    shown('text'),
  );

  await server.start();
  const again = workspace.open({ config });
  const reopened = (await again.open()).storage;
  await settled(reopened);
  await until(async () => (await outside.records(reopened)).length === 2);
  expect(await outside.records(reopened)).not.toContain(bread.id);
});
