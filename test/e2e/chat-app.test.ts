/** examples/chat-app as somebody copies it: its types, its tests, and the server with its page, against the built package. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt } from '../../scripts/setup/build.mjs';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
beforeAll(() => ensureBuilt());

/** The folder with what "npm install" would put into it. */
function copied(): string {
  const app = temporaryFolder();
  cpSync(join(root, 'examples/chat-app'), app, { recursive: true });
  mkdirSync(join(app, 'node_modules/@hono'), { recursive: true });
  for (const name of ['hono', '@hono/node-server', '@types', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name));
  symlinkSync(root, join(app, 'node_modules/keepsake'));
  return app;
}

it('its own tests pass, with two users at once', () => {
  const { status, stdout } = spawnSync(process.execPath, ['--test', 'app.test.ts'], {
    cwd: copied(),
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/pass 5\n/)]);
});

it('compiles strictly', () => {
  const app = copied();
  const compilerOptions = {
    noEmit: true,
    rootDir: '/',
    skipLibCheck: true,
    rewriteRelativeImportExtensions: false,
  };
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions,
      include: [`${app}/*.ts`],
      exclude: [],
    }),
  );
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', app], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

it('serves its page and answers, and Ctrl-C ends it', async () => {
  const cwd = copied();
  const server = spawn(process.execPath, ['server.ts'], {
    cwd,
    env: { ...process.env, PORT: '0', WORKSPACE: join(cwd, 'memory') },
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [line] = await once(server.stdout, 'data');
  const address = String(line).trim();
  expect(await (await fetch(address)).text()).toContain('<title>Chat with memory</title>');
  const answer = await fetch(`${address}/api/threads/one`, {
    method: 'POST',
    headers: { cookie: 'user=dana' },
    body: 'Hello!',
  });
  expect(await answer.text()).toBe('I know nothing about that yet.');
  server.kill('SIGINT');
  expect((await once(server, 'exit'))[0]).toBe(0);
});
