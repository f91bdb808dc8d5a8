/** `keepsake serve` and `keepsake keys` as real processes: first start, crashes, shutdown under load, other processes. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type KeepsakeEvent, type MemoryRecord } from '../../src/index.ts';
import { splitWords } from '../docs/support/commands.ts';
import { json, runCli, startCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly link: string;
  readonly isFirstStart: boolean;
  readonly key: string;
}

let cwd: string;

beforeEach(() => {
  cwd = temporaryWorkspace();
});

async function start(...flags: string[]): Promise<Server> {
  const child = startCli(['serve', '--port', '0', '--json', ...flags], { cwd });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let out = '';
  for await (const part of child.stdout!) {
    out += String(part);
    if (out.endsWith('}\n')) break;
  }
  const started = JSON.parse(out) as Omit<Server, 'child' | 'key'> & { serverKeyFile: string };
  return { ...started, child, key: readFileSync(started.serverKeyFile, 'utf8').trim() };
}

function post({ url }: Pick<Server, 'url'>, key: string, content: string): Promise<Response> {
  return fetch(`${url}/v1/memory`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'keepsake-agent': 'alice',
    },
    body: JSON.stringify({ content }),
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code as number | null;
}

describe('the first start', () => {
  it('makes a key that only the owner of the files can read, and keeps it', async () => {
    const first = await start();
    expect(first.isFirstStart).toBe(true);
    expect(first.url).toBe(`http://127.0.0.1:${first.port}`);
    const file = join(cwd, 'data/server.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await post(first, first.key, 'Hello.')).status).toBe(201);
    expect((await post(first, 'ksk_wrong', 'Hello.')).status).toBe(401);
    expect(await end(first.child, 'SIGTERM')).toBe(143);
    const second = await start();
    expect([second.isFirstStart, second.key]).toEqual([false, first.key]);
  });

  it('opens the page of the local user once', async () => {
    const { link, url } = await start();
    const visit = await fetch(link, { redirect: 'manual' });
    expect(visit.status).toBe(303);
    const cookie = visit.headers.get('set-cookie')!.split(';')[0]!;
    expect((await fetch(`${url}/v1/memory`, { headers: { cookie } })).status).toBe(200);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
    const html = await (await fetch(url)).text();
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    const statuses = await Promise.all(assets.map(async (path) => (await fetch(`${url}${path}`)).status));
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('tells a person where to look, and a command for a new link that works as it is printed', async () => {
    const child = startCli(['serve', '--port', '0', '--workspace', '.'], { cwd });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    for await (const part of child.stdout!) {
      out += String(part);
      if (out.includes('Ctrl-C')) break;
    }
    expect(out).toMatch(/^ {2}API +http:\/\/127\.0\.0\.1:\d+\/docs$/m);
    const [, command] = /works once; node \S+keepsake\.js (.*) prints another/.exec(out)!;
    const { stdout } = await runCli(splitWords(command!), { cwd });
    const visit = await fetch(/http\S+/.exec(stdout)![0], { redirect: 'manual' });
    expect(visit.status).toBe(303);
  });

  it('does not open to a network before somebody has a key', async () => {
    const refused = await runCli(['serve', '--host', '0.0.0.0', '--port', '0'], { cwd });
    expect(refused.code).toBe(77);
    expect(refused.stderr).toContain('keepsake keys create');
    await json(['keys', 'create', 'ops', '--role', 'admin'], { cwd });
    const { port, link } = await start('--host', '0.0.0.0');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?token=`));
  });

  it('says that the port is taken', async () => {
    const { port } = await start();
    const second = await runCli(['serve', '--port', String(port)], { cwd });
    expect(second.code).toBe(69);
    expect(second.stderr).toContain('"keepsake inspect" prints a link');
    const stranger = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    onTestFinished(() => void stranger.close());
    await once(stranger, 'listening');
    const taken = String((stranger.address() as AddressInfo).port);
    const third = await runCli(['serve', '--port', taken], { cwd });
    expect(third.code).toBe(second.code);
    expect(third.stderr).toContain('Choose another port with --port');
    expect(third.stderr).not.toContain('already serves');
    expect((await runCli(['serve', '--port', 'many'], { cwd })).code).toBe(64);
  });
});

describe('keys', () => {
  it('are made, shown once, listed, and revoked for a server that is running', async () => {
    const server = await start();
    const made = await json<{ id: string; key: string }>(
      ['keys', 'create', 'laptop', '--role', 'worker', '--agent', 'alice'],
      { cwd },
    );
    expect((await post(server, made.key, 'With a key of its own.')).status).toBe(201);
    const stored = readFileSync(join(cwd, 'data/keys.json'), 'utf8');
    expect(stored).not.toContain(made.key);
    expect(stored).not.toContain(made.key.slice(-43));
    expect(statSync(join(cwd, 'data/keys.json')).mode & 0o777).toBe(0o600);
    const listed = await json<object[]>(['keys', 'list'], { cwd });
    expect(listed).toMatchObject([{ id: made.id, name: 'laptop', role: 'worker', agent: 'alice' }]);
    expect(JSON.stringify(listed)).not.toMatch(/hash|ksk_/);
    await json(['keys', 'revoke', made.id], { cwd });
    expect((await post(server, made.key, 'Too late.')).status).toBe(401);
    expect((await runCli(['keys', 'list'], { cwd })).stdout).toContain('revoked');
  });

  it('of workers need an agent; unknown ones cannot be revoked; a mistyped workspace is not made', async () => {
    expect((await runCli(['keys', 'create', 'x'], { cwd })).code).toBe(64);
    expect((await runCli(['keys', 'create', 'x', '--role', 'king'], { cwd })).code).toBe(64);
    expect((await runCli(['keys', 'revoke', '000000000000'], { cwd })).code).toBe(66);
    const elsewhere = join(cwd, 'elsewhere');
    const made = await runCli(['keys', 'create', 'x', '--role', 'admin', '--workspace', elsewhere], { cwd });
    expect([made.code, existsSync(elsewhere)]).toEqual([66, false]);
  });

  it('can be made by many at once', async () => {
    await Promise.all(
      [1, 2, 3, 4].map((n) => json(['keys', 'create', `key ${n}`, '--role', 'admin'], { cwd })),
    );
    expect(await json<object[]>(['keys', 'list'], { cwd })).toHaveLength(4);
  });
});

describe('a server whose terminal closes', () => {
  it('goes on after SIGHUP, with the same address and its mark, and leaves no mark when it ends', async () => {
    const server = await start('--log-level', 'info');
    const marks = () => readdirSync(join(cwd, 'data')).filter((name) => /^server\..*\.json$/.test(name));
    const heard = Promise.withResolvers<void>();
    server.child.stderr!.on('data', (part) => String(part).includes('reloaded') && heard.resolve());
    server.child.kill('SIGHUP');
    await heard.promise;
    expect((await post(server, server.key, 'Still here.')).status).toBe(201);
    expect(marks()).toHaveLength(1);
    await end(server.child, 'SIGTERM');
    expect(marks()).toEqual([]);
  });
});

describe('a server that ends', () => {
  it('by kill -9 has kept what it acknowledged', async () => {
    for (const word of ['alpha', 'beta', 'gamma']) {
      const server = await start();
      const { id } = (await (await post(server, server.key, `The word is ${word}.`)).json()) as MemoryRecord;
      await end(server.child, 'SIGKILL');
      const found = await json<MemoryRecord[]>(['memory', 'search', word], { cwd });
      expect(found[0]?.id).toBe(id);
    }
    expect((await runCli(['doctor'], { cwd })).code).toBe(0);
  });

  it('by SIGTERM answers what was begun, keeps it, and takes nothing new', async () => {
    const server = await start();
    const kept: string[] = [];
    let broken = 0;
    let isEnding = false;
    const workers = Array.from({ length: 16 }, async (_, worker) => {
      for (let i = 0; ; i++) {
        try {
          const response = await post(server, server.key, `worker ${worker} wrote number ${i}`);
          const body = (await response.json()) as MemoryRecord;
          if (response.status === 201) kept.push(body.id);
          else expect([response.status, body]).toEqual([201, body]);
        } catch (error) {
          // Refused before it was taken, which only a server that ends does.
          broken++;
          expect([isEnding, error]).toEqual([true, error]);
          return;
        }
      }
    });
    // A listener must not keep it alive.
    const stream = await fetch(`${server.url}/v1/events`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    const listening = stream.text();
    while (kept.length < 100) await new Promise((go) => setTimeout(go, 10));
    isEnding = true;
    expect(await end(server.child, 'SIGTERM')).toBe(143);
    await Promise.all(workers);
    expect(await listening).toContain('memory.wrote');
    expect(broken).toBe(16);
    expect(existsSync(join(cwd, 'data/keepsake.db-wal'))).toBe(false);
    // All that was acknowledged is there; and nothing is there that was begun and not answered.
    await using client = createClient({ workspace: cwd });
    const wrote: string[] = [];
    for (let after = 0; ; ) {
      const events = await client.events.read({ after, limit: 1_000, types: ['memory.wrote'] });
      wrote.push(...events.flatMap((event) => (event.type === 'memory.wrote' ? [event.id] : [])));
      if (events.length < 1_000) break;
      after = events.at(-1)!.seq;
    }
    expect(new Set(wrote)).toEqual(new Set(kept));
  });
});

describe('a client on a server', () => {
  it('hears other processes, and goes on where it was after the server was killed', async () => {
    const first = await start();
    const client = createClient({ url: first.url, apiKey: first.key });
    onTestFinished(() => client.close());
    const heard: KeepsakeEvent[] = [];
    let news = Promise.withResolvers<void>();
    client.events.subscribe((event) => {
      heard.push(event);
      news.resolve();
      news = Promise.withResolvers();
    });
    const wrote = () => heard.flatMap((event) => (event.type === 'memory.wrote' ? [event.id] : []));
    const until = async (count: number) => {
      while (wrote().length < count) await news.promise;
    };
    await client.memory.list();
    const one = await json<MemoryRecord>(['memory', 'add', 'by another process'], { cwd });
    await until(1);
    await end(first.child, 'SIGKILL');
    const two = await json<MemoryRecord>(['memory', 'add', 'while nobody served'], { cwd });
    await start('--port', String(first.port));
    await until(2);
    const three = await client.agent({ name: 'alice' }).memory.add({ content: 'after it came back' });
    await until(3);
    expect(wrote()).toEqual([one.id, two.id, three.id]);
  });
});
