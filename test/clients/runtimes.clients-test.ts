/** Keepsake on other runtimes and in Next.js, from npm: Bun and its executables, Deno, and a production build that is served. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type App, FOUND, makeApp } from '../e2e/bundlers/app.ts';
import { clientsFolder, root } from './support/machine.ts';

const program = (name: string) => join(clientsFolder, 'node_modules/.bin', name);

function app(): App {
  const made = makeApp();
  onTestFinished(() => made.remove());
  // Whole and no link: what is deployed is a folder of its own.
  const native = join(made.folder, 'node_modules/better-sqlite3');
  rmSync(native);
  cpSync(join(root, 'node_modules/better-sqlite3'), native, { recursive: true });
  return made;
}

function start(command: string, args: readonly string[], { cwd, home }: { cwd: string; home: string }) {
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-runtime-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, HOME: home, DENO_DIR: join(home, 'deno'), WORKSPACE: workspace };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env });
  return { status, printed: status === 0 ? JSON.parse(stdout) : `${stdout}${stderr}` };
}

it('Bun runs a program that finds by meaning', () => {
  const { folder, entry } = app();
  const ran = start(program('bun'), [entry], { cwd: folder, home: folder });
  expect(ran).toEqual({ status: 0, printed: FOUND });
});

it('Deno runs a program that finds by meaning', () => {
  const { folder, entry } = app();
  const args = ['run', '--allow-all', '--no-config', '--node-modules-dir=manual', entry];
  const ran = start(program('deno'), args, { cwd: folder, home: folder });
  expect(ran).toEqual({ status: 0, printed: FOUND });
});

it('an executable that Bun compiled works from any folder, with model and SQLite beside it', () => {
  const { folder, entry } = app();
  const deployed = join(folder, 'deployed');
  mkdirSync(deployed);
  const executable = join(deployed, 'app');
  const args = ['build', '--compile', '--compile-autoload-package-json', entry, '--outfile', executable];
  const built = spawnSync(program('bun'), args, { cwd: folder, encoding: 'utf8' });
  expect(built.status, built.stderr).toBe(0);
  mkdirSync(join(deployed, 'keepsake'));
  cpSync(join(folder, 'node_modules/keepsake/models'), join(deployed, 'keepsake/models'), {
    recursive: true,
  });
  mkdirSync(join(deployed, 'node_modules'));
  renameSync(join(folder, 'node_modules/better-sqlite3'), join(deployed, 'node_modules/better-sqlite3'));
  expect(start(executable, [], { cwd: tmpdir(), home: folder })).toEqual({ status: 0, printed: FOUND });
});

const MEMORY = `import { createClient } from 'keepsake';
export const client = createClient({ workspace: process.env.WORKSPACE });
export const { memory } = client.agent({ name: 'assistant' });
`;
const ROUTE = `import { memory } from '../../lib/memory.js';
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export async function GET() {
  const found = await memory.search('What is the name of her pet?', { limit: 1 });
  return Response.json({ first: found[0]?.content, notices: found.notices ?? [] });
}
`;
const ACTION = `'use server';
import { memory } from '../lib/memory.js';
export async function remember(form) {
  await memory.add({ content: String(form.get('content')) });
}
`;
const PAGE = `import { remember } from './actions.js';
export const dynamic = 'force-dynamic';
export default function Page() {
  return <form action={remember}><input name="content" /><button>Remember</button></form>;
}
`;
const LAYOUT = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

it('Next.js builds for production, stores in a server action and finds by meaning in a route', async () => {
  const { folder } = app();
  // Next.js has to be below the folder that Turbopack takes for the whole project.
  const site = mkdtempSync(join(clientsFolder, 'next-'));
  onTestFinished(() => rmSync(site, { recursive: true, force: true, maxRetries: 5 }));
  renameSync(join(folder, 'node_modules'), join(site, 'node_modules'));
  const files = {
    'package.json': '{ "private": true, "type": "module" }',
    'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(clientsFolder)} } };\n`,
    ...{ 'lib/memory.js': MEMORY, 'app/found/route.js': ROUTE, 'app/actions.js': ACTION },
    ...{ 'app/page.jsx': PAGE, 'app/layout.jsx': LAYOUT },
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(site, name)), { recursive: true });
    writeFileSync(join(site, name), text);
  }
  const next = join(clientsFolder, 'node_modules/next/dist/bin/next');
  const env = {
    ...{
      PATH: process.env.PATH,
      HOME: folder,
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production' as const,
    },
    WORKSPACE: join(folder, 'workspace'),
  };
  const built = spawnSync(process.execPath, [next, 'build'], { cwd: site, encoding: 'utf8', env });
  expect(built.status, `${built.stdout}${built.stderr}`).toBe(0);
  expect(`${built.stdout}${built.stderr}`).not.toMatch(/\b(?:warning|error)\b/i);

  const url = `http://127.0.0.1:${await freePort()}`;
  const server: ChildProcess = spawn(
    process.execPath,
    [next, 'start', '--hostname', '127.0.0.1', '--port', new URL(url).port],
    { cwd: site, env, stdio: 'ignore' },
  );
  onTestFinished(() => void server.kill());
  const page = await vi.waitFor(async () => (await fetch(url)).text(), { timeout: 60_000, interval: 300 });
  // As a browser without scripts sends the form.
  const form = new FormData();
  for (const [, name] of page.matchAll(/type="hidden" name="([^"]+)"/g)) form.set(name!, '');
  form.set('content', FOUND.first);
  const sent = await fetch(url, { method: 'POST', body: form, headers: { origin: url } });
  expect(sent.status).toBe(200);
  expect(await (await fetch(`${url}/found`)).json()).toEqual(FOUND);
});

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
