/** Without a model of its own, the review of a session asks the model of the connected program, if its owner allowed that. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished, vi } from 'vitest';
import { json, program, runCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

const FACT = 'The staging server of the shop is called heron.';
const SAID = [
  ['user', 'Where do I deploy the shop before a release?'],
  ['assistant', 'To staging.'],
  ['user', 'Right, and its host is heron. Remember that we never deploy on Fridays.'],
  ['assistant', 'Noted.'],
  ['user', 'What about the tests?'],
  ['assistant', 'They pass.'],
];
const REVIEW = JSON.stringify({
  operations: [{ op: 'add', content: FACT, category: 'fact', confidence: 0.9 }],
  summary: 'The staging host of the shop was named.',
});

interface Asked {
  readonly prompts: string[];
}

interface Setting {
  readonly sampling: boolean;
  readonly agent?: string;
  readonly newest?: boolean;
  readonly refuses?: boolean;
}

/** A workspace, and a program that is connected to it and offers its model. */
async function connected({ sampling, agent, newest = false, refuses = false }: Setting) {
  const cwd = temporaryWorkspace();
  writeFileSync(
    join(cwd, 'keepsake.jsonc'),
    JSON.stringify({ name: 'default-agent', models: { sampling, embedding: 'none' } }),
  );
  const asked: Asked = { prompts: [] };
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: { sampling: {} },
      ...(newest ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
    },
  );
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    asked.prompts.push(`${params.systemPrompt}\n${JSON.stringify(params.messages)}`);
    if (refuses) throw new Error('The user said no.');
    return { role: 'assistant', model: 'm', content: { type: 'text', text: REVIEW }, stopReason: 'endTurn' };
  });
  const args = [program, 'mcp', ...(agent === undefined ? [] : ['--agent', agent])];
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args, cwd, stderr: 'pipe' },
      env: { PATH: process.env.PATH ?? '', HOME: join(cwd, 'home'), LANG: 'C.UTF-8' },
    }),
  );
  onTestFinished(() => client.close());
  const sockets = join(cwd, 'data/sockets');
  const names = () => (existsSync(sockets) ? readdirSync(sockets) : []);
  await vi.waitFor(() => expect(names().filter((name) => name.endsWith('.sock'))).toHaveLength(1), {
    timeout: 20_000,
  });
  return { cwd, asked, client };
}

/** What the hook leaves behind in the background; the rules find what was plainly asked to keep. */
async function review(cwd: string): Promise<() => Promise<string[]>> {
  const transcript = join(cwd, 'transcript.jsonl');
  const lines = SAID.map(([role, content], i) =>
    JSON.stringify({ type: role, uuid: `u${i}`, message: { role, content } }),
  );
  writeFileSync(transcript, `${lines.join('\n')}\n`);
  const stdin = JSON.stringify({ session_id: 's', transcript_path: transcript, trigger: 'auto' });
  const { code, stdout } = await runCli(['hook', 'pre-compact'], { cwd, stdin });
  expect([code, stdout]).toEqual([0, '']);
  return async () =>
    (await json<{ content: string }[]>(['memory', 'list'], { cwd })).map(({ content }) => content);
}

const soon = { timeout: 30_000, interval: 300 };

it('asks the model of the program when that is allowed, and learns what it proposes', async () => {
  const { cwd, asked } = await connected({ sampling: true });
  const contents = await review(cwd);
  await vi.waitFor(async () => expect(await contents()).toContain(FACT), soon);
  expect(asked.prompts).toHaveLength(1);
  expect(asked.prompts[0]).toContain('its host is heron');
  // The rules are for reviews without a model.
  expect((await contents()).join()).not.toContain('never deploy on Fridays');
});

it.each<[string, Setting]>([
  ['when nobody allowed it', { sampling: false }],
  ['when the program serves another agent', { sampling: true, agent: 'somebody-else' }],
  ['when the program speaks a revision that has no such questions', { sampling: true, newest: true }],
])('learns by rules and asks nobody %s', async (_, setting) => {
  const { cwd, asked } = await connected(setting);
  const contents = await review(cwd);
  await vi.waitFor(async () => expect((await contents()).join()).toContain('deploy on Fridays'), soon);
  expect(asked.prompts).toEqual([]);
});

it('learns by rules when the program refuses, and says so in doctor', async () => {
  const { cwd } = await connected({ sampling: true, refuses: true });
  const contents = await review(cwd);
  await vi.waitFor(async () => expect((await contents()).join()).toContain('deploy on Fridays'), soon);
  const { stdout } = await runCli(['doctor'], { cwd });
  expect(stdout).toContain('The user said no.');
});
