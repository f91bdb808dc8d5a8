/** docs/guides/server.md: the routes it names exist and its table of roles is complete; test/e2e/docs runs what it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';
import { testServer } from './support/test-server.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/guides/server.md'), 'utf8');
it('the guide names routes that exist', () => {
  const named = [
    ...page.matchAll(/`(?:[A-Z]+ )?(\/(?:v1\/[\w/:]+|healthz|metrics|openapi\.json|docs))/g),
  ].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(12);
  const paths = ROUTES.map(({ path }) => path);
  expect(named.filter((path) => !paths.includes(path))).toEqual([]);
});

it('the table of roles says how far a lead without an agent reaches', async () => {
  expect(page).toContain('| `lead` without an agent |');
  const { ask, makeKey, client } = await testServer();
  await client.agent({ name: 'alice' }).memory.add({ content: 'Alice drives a blue car.' });
  const { key } = await makeKey('lead');
  const asAlice = { key, headers: { 'keepsake-agent': 'alice' } };
  expect(await (await ask('GET /v1/memory', asAlice)).text()).toContain('blue car');
  for (const route of ['GET /metrics', 'GET /v1/keys', 'POST /v1/guard/list']) {
    expect((await ask(route, { ...asAlice, ...(route.startsWith('POST') ? { body: {} } : {}) })).status).toBe(
      403,
    );
  }
});
