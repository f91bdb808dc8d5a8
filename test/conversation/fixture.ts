/** Conversations of a workspace on disk, through the public API, and what a person would see in their files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseTranscript } from '../../src/conversation/formats/memory-md.ts';
import type { AgentOptions, Conversation, KeepsakeError } from '../../src/index.ts';
import { type TestWorkspace, testWorkspace } from '../fixtures/workspace.ts';

export interface TestConversation extends TestWorkspace {
  readonly memory: Conversation;
  /** The folder of the agent. */
  readonly home: string;
  readonly file: string;
  /** MEMORY.md as it is. */
  text(): string;
  /** `Role: text` of every block in MEMORY.md. */
  blocks(): string[];
  archives(): string[];
  /** Closes every client and opens the conversation again, as the next process would. */
  restart(settings?: Partial<AgentOptions>): Promise<Conversation>;
}

const NAME = 'alice';

export async function testConversation(
  settings: Partial<AgentOptions> = {},
  workspace = testWorkspace(),
): Promise<TestConversation> {
  const name = settings.name ?? NAME;
  const home = join(workspace.folder, 'agents', name);
  const file = join(home, 'MEMORY.md');
  let client = workspace.open();
  const memory = await client.agent({ ...settings, name }).shortMemory;
  return {
    ...workspace,
    memory,
    home,
    file,
    text: () => readFileSync(file, 'utf8'),
    blocks: () => blocksOf(readFileSync(file, 'utf8')),
    archives: () => namesIn(join(home, 'archive')),
    restart: async (changed = {}) => {
      await client.close();
      client = workspace.open();
      return client.agent({ ...settings, ...changed, name }).shortMemory;
    },
  };
}

export function blocksOf(text: string): string[] {
  return parseTranscript(text).blocks.map((block) => `${block.role}: ${block.text}`);
}

export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** `Role: text` of the messages that a prompt would hold. */
export async function shown(memory: Conversation): Promise<string[]> {
  return (await memory.messages()).map(({ role, content }) => `${role}: ${String(content)}`);
}

/** `Role: text` of the turns alone. */
export async function said(memory: Conversation): Promise<string[]> {
  return (await memory.turns()).map(({ role, content }) => `${role}: ${String(content)}`);
}

/** The error that a promise ends with; fails if it ends well. */
export async function errorOf(promise: Promise<unknown>): Promise<KeepsakeError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome, 'This should have failed.').toBeDefined();
  return outcome as KeepsakeError;
}

/** Turns of a user and the agent in alternation: "question 1", "answer 1", … */
export async function talk(memory: Conversation, rounds: number, from = 1): Promise<void> {
  const lines = Array.from({ length: rounds }, (_, i) => [
    memory.add('User', `question ${from + i}`),
    memory.add('assistant', `answer ${from + i}`),
  ]);
  await Promise.all(lines.flat());
}
