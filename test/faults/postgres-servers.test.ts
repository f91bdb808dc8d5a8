/** Several servers on one Postgres: what one is told, all know, and the death of one takes nothing with it. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { KeepsakeEvent, MemoryRecord } from '../../src/index.ts';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { startCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
}

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await postgresServer({ durable: true });
});
afterAll(() => postgres.stop());

/** Each with a folder of its own, as on a machine of its own. */
async function start(url: string): Promise<Server> {
  const env = { KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: url };
  const child = startCli(['serve', '--port', '0', '--json'], { cwd: temporaryWorkspace(), env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for await (const part of child.stdout!) {
    said += String(part);
    if (said.endsWith('}\n')) break;
  }
  const started = JSON.parse(said) as { url: string; serverKeyFile: string };
  return { child, url: started.url, key: readFileSync(started.serverKeyFile, 'utf8').trim() };
}

function call({ url, key }: Server, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}${path}`, {
    headers: {
      ...{ authorization: `Bearer ${key}`, 'keepsake-agent': 'alice' },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Numbers of the events that a server streams, as they come. */
async function follow(server: Server, seen: number[], signal: AbortSignal): Promise<void> {
  const response = await call(server, '/v1/events?after=0', undefined, signal);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines)
      if (line.startsWith('data: ')) seen.push((JSON.parse(line.slice(6)) as KeepsakeEvent).seq);
  }
}

it('three servers answer as one, and one of them dies under load', async () => {
  const address = postgres.url();
  const [first, second, third] = await Promise.all([start(address), start(address), start(address)]);
  const told = await call(first, '/v1/memory', { content: 'The deploy key lives in the blue vault.' });
  expect(told.status).toBe(201);
  const found = await call(second, '/v1/memory/search?q=where+is+the+deploy+key');
  const [hit] = (await found.json()) as MemoryRecord[];
  expect(hit?.content).toBe('The deploy key lives in the blue vault.');

  const stop = new AbortController();
  const seen: number[] = [];
  const following = follow(third, seen, stop.signal).catch(() => {});
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = [first, first, second, second].map(async (server, writer) => {
    for (let i = 0; !isOver; i++) {
      const body = { content: `Fact ${i} of writer ${writer}.`, source: 'manual' };
      const answer = await call(server, '/v1/memory', body).catch(() => undefined);
      if (answer?.status === 201) acknowledged.push(((await answer.json()) as MemoryRecord).id);
      else await pause(20);
    }
  });
  while (acknowledged.length < 40) await pause(5);
  first.child.kill('SIGKILL');
  const before = acknowledged.length;
  while (acknowledged.length < before + 20) await pause(5);
  isOver = true;
  await Promise.all(writers);

  for (const id of acknowledged)
    expect([id, (await call(third, `/v1/memory/${id}`)).status]).toEqual([id, 200]);
  const latest = acknowledged.length + 1;
  while ((seen.at(-1) ?? 0) < latest) await pause(5);
  stop.abort();
  await following;
  // In order, and none is missing: numbers of what nobody was told of may come on top.
  expect(seen).toEqual(seen.map((_, i) => i + 1));
});
