/** docs/guides/server.md: its program runs and prints what the page says, and the routes it names exist. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { keysCreate } from '../../../src/operations/keys.ts';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/guides/server.md'), 'utf8');
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!;

it('the guide shows what happens', async () => {
  const { folder, clock, open } = testWorkspace();
  const server = await serve(await open().open(), { port: 0, version: '0.0.0' });
  onTestFinished(() => server.stop());
  const { key } = await keysCreate({ name: 'laptop', agent: 'my-agent' }, { workspace: folder, clock });
  const program = join(folder, 'program.ts');
  const api = pathToFileURL(join(root, 'src/index.ts')).href;
  const text = block('ts')
    .replace("'keepsake'", JSON.stringify(api))
    .replace('http://127.0.0.1:4444', server.url);
  writeFileSync(program, text);
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, KEEPSAKE_KEY: key },
  });
  let out = '';
  child.stdout.on('data', (part) => {
    out += part;
  });
  child.stderr.on('data', (part) => {
    out += part;
  });
  const [code] = await once(child, 'close');
  expect([code, out]).toEqual([0, block('text')]);
});

it('the guide names routes that exist', () => {
  const named = [
    ...page.matchAll(/`(?:[A-Z]+ )?(\/(?:v1\/[\w/:]+|healthz|metrics|openapi\.json|docs))/g),
  ].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(12);
  const paths = ROUTES.map(({ path }) => path);
  expect(named.filter((path) => !paths.includes(path))).toEqual([]);
});
