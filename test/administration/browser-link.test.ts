/** `keepsake inspect` asks the server that runs for a link, and says what is wrong when there is none. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { browserLink } from '../../src/administration/browser-link.ts';
import { keysCreate } from '../../src/administration/keys.ts';
import { runningServers } from '../../src/auth/index.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

async function running() {
  const { folder, open } = testWorkspace();
  const server = await serve(await open().open(), { port: 0, version: '0.0.0' });
  onTestFinished(() => server.stop());
  return { folder, url: server.url };
}

it('gives a link that lets in once', async () => {
  const { folder, url } = await running();
  const link = await browserLink({ workspace: folder, url });
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
});

const visited = async (link: string) => (await fetch(link, { redirect: 'manual' })).status;

it('finds the server of the workspace by itself, on whatever port, also when it listens on every address', async () => {
  const [one, other] = [await running(), await running()];
  for (const { folder, url } of [one, other]) {
    const link = await browserLink({ workspace: folder });
    expect(new URL(link).origin).toBe(url);
    expect(await visited(link)).toBe(303);
  }
  const { folder, clock, open } = testWorkspace();
  await keysCreate({ name: 'x', role: 'admin' }, { workspace: folder, clock });
  const wide = await serve(await open().open(), { port: 0, version: '0.0.0', host: '0.0.0.0' });
  onTestFinished(() => wide.stop());
  const link = await browserLink({ workspace: folder });
  expect(new URL(link).origin).toBe(`http://127.0.0.1:${wide.port}`);
  expect(await visited(link)).toBe(303);
});

it('finds none that ended, and the newest of several', async () => {
  const { folder, clock, open } = testWorkspace();
  const engine = await open().open();
  const start = async () => {
    clock.advance(1_000);
    const server = await serve(engine, { port: 0, version: '0.0.0' });
    onTestFinished(() => server.stop());
    return server;
  };
  const [first, second] = [await start(), await start()];
  const marks = () => readdirSync(join(folder, 'data')).filter((name) => /^server\..*json$/.test(name));
  expect(marks()).toHaveLength(2);
  for (const name of marks()) expect(statSync(join(folder, 'data', name)).mode & 0o777).toBe(0o600);
  expect(new URL(await browserLink({ workspace: folder })).origin).toBe(second.url);
  await second.stop();
  expect(new URL(await browserLink({ workspace: folder })).origin).toBe(first.url);
  await first.stop();
  expect(marks()).toEqual([]);
  await expect(browserLink({ workspace: folder })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: `No server for ${folder} is running on this machine.`,
  });
});

it('hands the key of the owner to nobody who took the port of a server that died', async () => {
  const { folder, open } = testWorkspace();
  const server = await serve(await open().open(), { port: 0, version: '0.0.0' });
  const data = join(folder, 'data');
  const [name] = readdirSync(data).filter((each) => /^server\..*json$/.test(each));
  const mark = readFileSync(join(data, name!), 'utf8');
  await server.stop();
  const heard: (string | undefined)[] = [];
  const stranger = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(201).end('{"path":"http://elsewhere.example/?token=mine"}');
  }).listen(server.port, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await once(stranger, 'listening');
  // As kill -9 leaves it, with a number that another process has by now.
  writeFileSync(join(data, name!), mark);
  await expect(browserLink({ workspace: folder })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const owner = readFileSync(join(data, 'server.key'), 'utf8').trim();
  expect(heard).toHaveLength(1);
  expect(heard[0]).not.toContain(owner);
  const again = await serve(await open().open(), { port: 0, version: '0.0.0' });
  onTestFinished(() => again.stop());
  const headers = { authorization: heard[0]! };
  expect((await fetch(`${again.url}/v1/browser/link`, { method: 'POST', headers })).status).toBe(401);
});

it('does not look at marks of processes that are gone, of other machines, or at torn ones; the next server clears its own', async () => {
  const { folder, open } = testWorkspace();
  const engine = await open().open();
  const data = join(folder, 'data');
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const mark = { url: 'http://127.0.0.1:1', pid, host: hostname(), startedAt: 1, secret: 'x' };
  writeFileSync(join(data, 'server.000000000001.json'), JSON.stringify(mark));
  const elsewhere = { ...mark, host: 'another', pid: process.pid };
  writeFileSync(join(data, 'server.000000000002.json'), JSON.stringify(elsewhere));
  writeFileSync(join(data, 'server.000000000003.json'), '{"url":');
  expect(runningServers(data)).toEqual([]);
  const server = await serve(engine, { port: 0, version: '0.0.0' });
  onTestFinished(() => server.stop());
  expect(readdirSync(data).filter((name) => /^server\.0+\d\.json$/.test(name))).toEqual([
    'server.000000000002.json',
  ]);
});

it('says when no server answers, when it serves another workspace, and when there never was one', async () => {
  const [one, other] = [await running(), await running()];
  await expect(browserLink({ workspace: one.folder, url: other.url })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    hint: expect.stringContaining('another workspace'),
  });
  const { folder, open } = testWorkspace();
  await open().open();
  await expect(browserLink({ workspace: folder, url: one.url })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(browserLink({ workspace: one.folder, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    hint: expect.stringContaining('keepsake serve'),
  });
});
