/** Servers in processes of their own, as on machines of their own, and how tests speak with them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { KeepsakeEvent } from '../../../src/index.ts';
import { startCli, temporaryWorkspace } from '../../surfaces/cli/support/run-cli.ts';
import { programOf } from './program.ts';

export interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
}

/** Each with a folder of its own, unless one is given, which a deployment has to allow. */
export async function startServer(
  env: Readonly<Record<string, string>>,
  cwd: string = temporaryWorkspace(),
): Promise<Server> {
  const folders = { KEEPSAKE_SERVER_FOLDERS: 'separate' };
  return started(startCli(['serve', '--port', '0', '--json'], { cwd, env: { ...folders, ...env } }));
}

/** One that hears of what others wrote through Redis alone. */
export async function startRedisOnlyServer(store: string, redis: string): Promise<Server> {
  return started(
    spawn(process.execPath, [programOf('redis-only-server'), temporaryWorkspace(), store, redis]),
  );
}

async function started(child: ChildProcess): Promise<Server> {
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  let complained = '';
  child.stderr!.on('data', (part) => (complained += String(part)));
  for await (const part of child.stdout!) {
    said += String(part);
    if (said.endsWith('}\n')) break;
  }
  if (said === '') throw new Error(`The server did not start: ${complained}`);
  const { url, serverKeyFile } = JSON.parse(said) as { url: string; serverKeyFile: string };
  return { child, url, key: readFileSync(serverKeyFile, 'utf8').trim() };
}

export function call(
  { url, key }: Server,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
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
export async function follow(server: Server, seen: number[], signal: AbortSignal): Promise<void> {
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
