/** Conversations over real restarts: every step is a process of its own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AgentOptions } from '../../src/index.ts';
import { runChild } from '../faults/support/conversation-children.ts';

interface Session {
  readonly messages: readonly string[];
  readonly turns: readonly string[];
  readonly run: string;
}

function makeWorkspace() {
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-e2e-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  return {
    workspace,
    /** One process that says these lines and ends. */
    session: async (
      agent: string,
      lines: readonly (readonly [string, string])[],
      more: { settings?: Partial<AgentOptions>; summary?: string } = {},
    ): Promise<Session> =>
      (await runChild('talk', { workspace, agent, lines, ...more }))[0] as unknown as Session,
  };
}

it('A-04 another process with the same name finds MEMORY.md loaded, as one System message', async () => {
  const { workspace, session } = makeWorkspace();
  const settings = { history: 'preamble' as const };
  await session('ResearchAgent', [['User', 'Research databases.']], { settings });
  const { messages } = await session('ResearchAgent', [['User', 'Narrow it to GCP.']], { settings });
  expect(messages).toHaveLength(2);
  expect(messages[0]).toMatch(/^System: \[Persistent Memory - MEMORY\.md\]\n# Agent Memory\n/);
  expect(messages[0]).toContain('Research databases.');
  expect(messages[1]).toBe('User: Narrow it to GCP.');
  const file = readFileSync(join(workspace, 'agents', 'ResearchAgent', 'MEMORY.md'), 'utf8');
  expect(file.match(/^### User - /gm)).toHaveLength(2);
});

it('A-07 the same name goes on where it was, over any number of restarts; another name knows nothing', async () => {
  const { session } = makeWorkspace();
  await session('alice', [['User', 'one']]);
  await session('alice', [['assistant', 'two']]);
  const third = await session('alice', [['User', 'three']]);
  expect(third.turns).toEqual(['User: one', 'alice: two', 'User: three']);
  expect((await session('bob', [])).messages).toEqual([]);
});

it('A-09 the folder belongs to the name, not to an id, which changes with every start', async () => {
  const { session } = makeWorkspace();
  const first = await session('alice', [['User', 'one']]);
  const second = await session('alice', []);
  expect(second.run).not.toBe(first.run);
  expect(second.turns).toEqual(['User: one']);
});

it('A-49 the next process loads the summary instead of the transcript', async () => {
  const { session } = makeWorkspace();
  const lines = Array.from({ length: 12 }, (_, i) => ['User', `raw message ${i}`] as const);
  await session('alice', lines, { summary: 'Twelve messages were sent for a test.' });
  const { messages } = await session('alice', []);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain('[Compressed Memory Summary]\nTwelve messages were sent for a test.');
  expect(messages[0]).not.toContain('raw message');
});

it('D-02 what was said is in the database, and the agent goes on where it was, also without MEMORY.md', async () => {
  const { session } = makeWorkspace();
  const settings = { history: 'low' as const, persistentMemory: false };
  const lines = Array.from({ length: 8 }, (_, i) => [
    ['User', `question ${i}`] as const,
    ['assistant', `answer ${i}`] as const,
  ]).flat();
  await session('alice', lines, { settings });
  const { turns } = await session('alice', [['User', 'And now?']], { settings });
  expect(turns).toEqual([
    ...lines.slice(-10).map(([role, text]) => `${role === 'User' ? 'User' : 'alice'}: ${text}`),
    'User: And now?',
  ]);
});
