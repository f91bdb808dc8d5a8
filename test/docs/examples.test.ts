/** Every example of docs/reference/sdk.md runs and prints what its comments say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import { agents } from '../../scripts/api-docs/examples/agent.ts';
import { conversations } from '../../scripts/api-docs/examples/conversation.ts';
import { memory } from '../../scripts/api-docs/examples/memory.ts';
import { swarms } from '../../scripts/api-docs/examples/swarm.ts';
import { examples } from '../../scripts/api-docs/examples.ts';
import { METHOD_ERRORS } from '../../scripts/api-docs/method-errors.ts';
import { readPage } from '../../scripts/generate-api-docs.ts';
import {
  AgentArchive,
  AgentLog,
  AgentMemory,
  AgentSections,
  Memory,
  OwnerMemory,
} from '../../src/client/sdk/index.ts';
import { type ChatModel, type Client, createClient, Runs, Swarm } from '../../src/index.ts';
import { scriptedModel } from '../../src/testing/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

type Program = (client: Client, folder: string, model: ChatModel) => Promise<void>;

const PROGRAMS: Readonly<Record<string, Program>> = {
  memory: (client) => memory(client),
  agent: agents,
  conversation: (client, folder) => conversations(client, folder),
  swarm: (client, _, model) => swarms(client, model),
};

/** What the comments behind `console.log(…);` say, in order. */
function promised(file: string): string[] {
  const source = readFileSync(
    join(import.meta.dirname, `../../scripts/api-docs/examples/${file}.ts`),
    'utf8',
  );
  return [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text!);
}

const printed = (values: readonly unknown[]): string =>
  values
    .map((value) =>
      typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY }),
    )
    .join(' ')
    .replaceAll('\n', '\\n');

it.each(Object.entries(PROGRAMS))('the examples of %s print what they say', async (file, program) => {
  const folder = temporaryFolder();
  await using server = await scriptedModel(() => ({ text: 'On Friday.' }));
  await using client = createClient({ workspace: folder });
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((...values) => void lines.push(printed(values)));
  try {
    await program(client, folder, server.model('scripted/model', { retries: 0 }));
  } finally {
    spy.mockRestore();
  }
  expect(lines).toEqual(promised(file));
});

it('each example is on the page, below its method', () => {
  const page = readPage('docs/reference/sdk.md');
  for (const code of examples().values()) expect(page).toContain(`\`\`\`ts example\n${code}\n\`\`\``);
});

it.each(METHOD_ERRORS)('$call fails with $code', async ({ code, cause }) => {
  await using client = createClient({ workspace: temporaryFolder() });
  await expect(cause(client)).rejects.toMatchObject({ code });
});

it('each method of memory, sections, conversations and swarms has an example', () => {
  const shown = examples();
  const classes = [AgentMemory, Memory, OwnerMemory, AgentSections, AgentLog, AgentArchive, Swarm, Runs];
  const missing = classes.flatMap((each) =>
    Object.getOwnPropertyNames(each.prototype)
      .filter((name) => name !== 'constructor')
      .map((name) => `${each.name}.${name}`)
      .filter((name) => !shown.has(name)),
  );
  expect(missing).toEqual([]);
});
