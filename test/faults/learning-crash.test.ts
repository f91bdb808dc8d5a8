/** A process that dies before it has learned from a session: the next one of that agent takes it up, once. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import type { ScriptedReply } from '../../src/testing/index.ts';
import { modelServer } from '../agents/fixture.ts';
import { runAgent, startAgent } from '../e2e/support/agent-children.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const PROMPTS = ['I write all my services in Go.', 'And I deploy them with Nomad.'];
const PROPOSAL = {
  json: {
    operations: [
      { op: 'add', category: 'fact', content: 'The user writes all services in Go.', confidence: 0.9 },
      { op: 'add', category: 'fact', content: 'The user deploys services with Nomad.', confidence: 0.9 },
    ],
    summary: { patterns: ['Asking for the tools first saved time.'] },
  },
};
const MEMORY = { memory: { enabled: true } };

const isReview = ({ prompt }: { readonly prompt: string }): boolean => prompt.includes('<transcript>');

async function remembered(workspace: string): Promise<string[]> {
  await using client = createClient({ workspace });
  const records = await client.agent({ name: 'alice' }).memory.list({ limit: 100 });
  return records.map(({ source, content }) => `${source}: ${content.split('\n')[0]}`).toSorted();
}

function waiting(workspace: string): string[] {
  const folder = join(workspace, 'data', 'reviews');
  return existsSync(folder) ? readdirSync(folder) : [];
}

it('B-15 E-05 killed while the review is under way: the next process of the agent finishes it, and no other does it again', async () => {
  const workspace = temporaryFolder();
  let reviews = 0;
  const kill = (): ScriptedReply => {
    child.process.kill('SIGKILL');
    return { hang: true };
  };
  const server = await modelServer((request) => {
    if (!isReview(request)) return 'Noted.';
    return ++reviews === 1 ? kill() : PROPOSAL;
  });
  const options = { workspace, url: server.url, agent: MEMORY };
  const child = startAgent({ ...options, prompts: PROMPTS });
  await child.ended;
  expect(await remembered(workspace)).toEqual([]);
  expect(waiting(workspace)).toHaveLength(1);

  // Another agent has nothing to do with it.
  await runAgent({ ...options, agent: { ...MEMORY, name: 'bob' }, prompts: ['Hello.'] });
  expect(reviews).toBe(1);
  await runAgent({ ...options, prompts: ['Good morning.'] });
  const learned = [
    'extracted: The user deploys services with Nomad.',
    'extracted: The user writes all services in Go.',
    'session_summary: Patterns:',
  ];
  expect(await remembered(workspace)).toEqual(learned);
  expect(waiting(workspace)).toEqual([]);
  const asked = server.requests.filter(isReview).at(-1)!.prompt;
  expect(asked).toContain(PROMPTS[1]);
  expect(asked).not.toContain('Good morning.');

  await runAgent({ ...options, prompts: ['Good evening.'] });
  expect(reviews).toBe(2);
  expect(await remembered(workspace)).toEqual(learned);
});

it('E-06 killed when the answer was there: the task is remembered by the next process', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer((request) => (isReview(request) ? PROPOSAL : 'Deployed to Graz.'));
  const options = { workspace, url: server.url, agent: { ...MEMORY, tools: [] }, asTasks: true };
  const child = startAgent({ ...options, prompts: ['Deploy the shop.'], dieAfterAnswer: true });
  await child.ended;
  const before = await remembered(workspace);
  await runAgent({ ...options, prompts: ['What is the weather?'] });
  const after = await remembered(workspace);
  expect([...before, ...after].filter((line) => line.includes('Deploy the shop'))).not.toEqual([]);
  expect(after.filter((line) => line.includes('Deploy the shop'))).toHaveLength(1);
});

it('a review that the model could not make is tried again by later processes, and not for ever', async () => {
  const workspace = temporaryFolder();
  let reviews = 0;
  const server = await modelServer((request) => {
    if (!isReview(request)) return 'Noted.';
    reviews++;
    return { status: 500 };
  });
  const options = { workspace, url: server.url, agent: MEMORY };
  await runAgent({ ...options, prompts: PROMPTS });
  expect(waiting(workspace)).toHaveLength(1);
  for (let i = 0; i < 4; i++) await runAgent({ ...options, prompts: ['Hello.'] });
  expect(reviews).toBe(3);
  expect(waiting(workspace)).toEqual([]);
});

it('a session that keeps nothing leaves nothing to take up', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer((request) => {
    if (!isReview(request)) return 'Noted.';
    child.process.kill('SIGKILL');
    return { hang: true };
  });
  const agent = { ...MEMORY, persistentMemory: false };
  const child = startAgent({ workspace, url: server.url, agent, prompts: PROMPTS });
  await child.ended;
  expect(waiting(workspace)).toEqual([]);
});
