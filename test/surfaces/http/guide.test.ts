/** docs/guides/server.md: the routes it names exist; test/e2e/docs runs what it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';

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
