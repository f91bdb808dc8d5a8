/** Background work of several processes on one store is done once: scheduled agents, embedding, reviews of a session. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { scriptedEmbeddings, scriptedModel } from '../../src/testing/index.ts';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { runCli, startCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';
import { call, startServer } from './support/servers.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await postgresServer();
});
afterAll(() => postgres.stop());

/** Two workspaces on one store; with SQLite they are the same folder. */
const STORES = {
  sqlite: () => {
    const cwd = temporaryWorkspace();
    return { env: {}, folders: [cwd, cwd] };
  },
  postgres: () => ({
    env: {
      KEEPSAKE_STORAGE_DRIVER: 'postgres',
      KEEPSAKE_STORAGE_URL: postgres.url(),
      KEEPSAKE_SERVER_FOLDERS: 'separate',
    },
    folders: [temporaryWorkspace(), temporaryWorkspace()],
  }),
} as const;

interface Started {
  readonly type: string;
  readonly at: number;
}

async function collect(child: ChildProcess, events: Started[]): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! }))
    events.push(JSON.parse(line) as Started);
}

it('two machines run a scheduled agent once for each time it is due, also after one of them dies', async () => {
  const { env, folders } = STORES.postgres();
  const model = await scriptedModel(() => 'seen');
  onTestFinished(() => model.close());
  const models = { KEEPSAKE_MODELS_MAIN: 'compatible/scripted', KEEPSAKE_MODELS_BASE_URL: model.url };
  const heard: Started[][] = [[], []];
  const children = folders.map((cwd, i) => {
    mkdirSync(join(cwd, 'agents'), { recursive: true });
    const text =
      '---\ntrigger:\n  type: schedule\n  every: 1s\nmemory: { enabled: false }\n---\nYou watch.\n';
    writeFileSync(join(cwd, 'agents/monitor.md'), text);
    const child = startCli(['start', '--json'], { cwd, env: { ...env, ...models } });
    onTestFinished(() => void child.kill('SIGKILL'));
    void collect(child, heard[i]!);
    return child;
  });
  const starts = (): number[] =>
    heard
      .flat()
      .filter(({ type }) => type === 'started')
      .map(({ at }) => at)
      .sort((a, b) => a - b);
  const bothAreThere = () => heard.every(([first]) => first?.type === 'schedule');
  while (!bothAreThere()) await pause(20);
  while (starts().length < 5) await pause(20);
  children[0]!.kill('SIGKILL');
  const before = starts().length;
  // A run that was under way when it died holds the agent for as long as a lease lasts, and no longer.
  while (starts().length < before + 2) await pause(20);
  const times = starts();
  const gaps = times.slice(1).map((at, i) => at - times[i]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  children[1]!.kill('SIGTERM');
  await once(children[1]!, 'close');
});

describe.each(Object.keys(STORES) as (keyof typeof STORES)[])('on %s', (store) => {
  it('two servers embed each memory once, whoever was told', async () => {
    const { env, folders } = STORES[store]();
    const embeddings = await scriptedEmbeddings();
    onTestFinished(() => embeddings.close());
    const models = {
      KEEPSAKE_MODELS_EMBEDDING: 'ollama/nomic-embed-text',
      KEEPSAKE_MODELS_EMBEDDING_URL: embeddings.url,
    };
    const servers = await Promise.all(folders.map((cwd) => startServer({ ...env, ...models }, cwd)));
    const told = Array.from({ length: 120 }, (_, i) => `Memory number ${i} is about harbour ${i}.`);
    const answers = await Promise.all(
      told.map((content, i) => call(servers[i % 2]!, '/v1/memory', { content })),
    );
    expect(answers.map(({ status }) => status)).toEqual(told.map(() => 201));
    const embedded = (): string[] =>
      embeddings.requests.flatMap(({ body }) => body.input).filter((text) => text.includes('harbour'));
    await expect.poll(() => new Set(embedded()).size, { timeout: 60_000, interval: 100 }).toBe(told.length);
    // Long enough for one who had the same in hand to ask for it.
    await pause(1_000);
    expect(embedded()).toHaveLength(told.length);
  });

  it('two reviews of one session at the same moment ask the model once', async () => {
    const { env, folders } = STORES[store]();
    const operation = {
      ...{ op: 'add', category: 'fact', confidence: 0.9, from: 'user' },
      content: "The user's team deploys on Tuesdays.",
    };
    const review = { operations: [operation], summary: { learned: ['Deploys are on Tuesdays.'] } };
    const model = await scriptedModel(() => ({ json: review }));
    onTestFinished(() => model.close());
    const models = { KEEPSAKE_MODELS_MAIN: 'compatible/scripted', KEEPSAKE_MODELS_BASE_URL: model.url };
    const said = ['Our deploys happen on Tuesdays.', 'Good to know.', 'We use pnpm.', 'Noted.'];
    const lines = said.map((content, i) => {
      const role = i % 2 === 0 ? 'user' : 'assistant';
      return JSON.stringify({ type: role, message: { role, content } });
    });
    const transcript = join(folders[0]!, 'transcript.jsonl');
    writeFileSync(transcript, `${lines.join('\n')}\n`);
    const stdin = JSON.stringify({ session_id: 's-1', transcript_path: transcript });
    const hook = (cwd: string) => runCli(['hook', 'session-end'], { cwd, env: { ...env, ...models }, stdin });
    await Promise.all([...folders, ...folders].map(hook));
    const listed = async () => {
      const options = { cwd: folders[0]!, env: { ...env, ...models } };
      const { stdout } = await runCli(['memory', 'list', '--source', 'extracted', '--json'], options);
      return (JSON.parse(stdout) as { content: string }[]).map(({ content }) => content);
    };
    await expect.poll(listed, { timeout: 60_000, interval: 300 }).toEqual([operation.content]);
    // The hooks hand the work on to processes that nobody waits for.
    await pause(3_000);
    expect(await listed()).toEqual([operation.content]);
    expect(model.requests).toHaveLength(1);
  });
});
