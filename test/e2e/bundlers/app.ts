/** An app of a user that has Keepsake installed and bundles its own program, with what the tests of bundlers share. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Remembers and finds by meaning: the question shares no word with what it finds. */
export const PROGRAM = `
import { createClient } from 'keepsake';
const client = createClient({ workspace: process.env.WORKSPACE });
const agent = client.agent({ name: 'assistant' });
await agent.memory.add({ content: 'The dog of Ada is called Bell.' });
await agent.memory.add({ content: 'Invoices are due after thirty days.' });
const found = await agent.memory.search('What is the name of her pet?', { limit: 1 });
console.log(JSON.stringify({ first: found[0]?.content, notices: found.notices ?? [] }));
await client.close();
`;
/** The same for CommonJS, which cannot wait at its top level. */
export const COMMONJS_PROGRAM = `
import { createClient } from 'keepsake';
void (async () => {
${PROGRAM.replace(/^import .*$/m, '')}
})();
`;

export const FOUND = { first: 'The dog of Ada is called Bell.', notices: [] };

export interface App {
  readonly folder: string;
  readonly entry: string;
  remove(): void;
}

/** The package as npm would install it, from what was built: no sources, no development dependencies. */
export function makeApp(program = PROGRAM): App {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bundled-'));
  const installed = join(folder, 'node_modules/keepsake');
  mkdirSync(installed, { recursive: true });
  for (const name of ['dist/sdk', 'models', 'package.json'])
    cpSync(join(root, name), join(installed, name), { recursive: true });
  symlinkSync(join(root, 'node_modules/better-sqlite3'), join(folder, 'node_modules/better-sqlite3'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "private": true }');
  const entry = join(folder, 'app.mjs');
  writeFileSync(entry, program);
  return { folder, entry, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a bundle in a folder of its own choice, and returns what it printed. */
export function run(
  file: string,
  folder: string,
): { status: number | null; printed: unknown; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      WORKSPACE: mkdtempSync(join(tmpdir(), 'keepsake-bundle-workspace-')),
    },
  });
  return { status, printed: stdout === '' ? undefined : JSON.parse(stdout), stderr };
}
