/** Pages whose readers need nothing but Keepsake and, here and there, a language model. */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseAgent } from '../../../../src/agents/markdown/index.ts';
import { parseTranscript } from '../../../../src/conversation/formats/memory-md.ts';
import { idsIn } from '../../../docs/support/comparable.ts';
import { playModels } from '../../../docs/support/models.ts';
import type { Page, Pages } from '../../../docs/support/page.ts';
import { textOf, type World } from '../../../docs/support/world.ts';

/** Memory that nobody has written to. */
const again = (world: World): void => {
  world.cwd = world.workspace();
};

const said = (world: World, line: string): string =>
  textOf(world.said.find((each) => each.line.startsWith(line))!);

/** Each line of a drawing of folders begins with a path, which has to be there. */
function drawn(text: string, world: World, change: (path: string) => string = (path) => path): void {
  const [first = '', ...below] = text.trimEnd().split('\n');
  const isBelow = below.every((line) => line.startsWith('  '));
  for (const line of isBelow ? below : [first, ...below]) {
    const path = change(`${isBelow ? first.trim() : ''}${line.trim().split(/\s{2,}/)[0]}`);
    expect([path, existsSync(join(world.cwd, path))]).toEqual([path, true]);
  }
}

const firstArchive = (world: World): string =>
  readdirSync(join(world.cwd, 'agents/ResearchAgent/archive')).sort()[0]!;

let beforeCommands = '';
const GET_STARTED: Page = {
  ready: (world) => playModels(world),
  programs: { 1: [1], 2: [2], 3: [3] },
  looks: {
    '': [
      (text, world) => {
        world.cwd = beforeCommands;
        drawn(text, world);
        expect(world.read('agents/my-agent.memory.md')).toContain('Phoenix');
      },
    ],
  },
  before: {
    'console 1': (world) => {
      beforeCommands = world.cwd;
      again(world);
    },
  },
};

const AGENTS: Page = {
  proves: 'D-13 D-27',
  ready: async (world, blocks) => {
    await playModels(world);
    // The settings of `keepsake init` switch memory on; the page shows an agent without.
    world.write('keepsake.jsonc', '{}\n');
    world.write('agents/daily-monitor.md', blocks('md')[0]!);
  },
  answers: { 'keepsake chat': 'Hello.\n/exit\n' },
  before: {
    'console 1': (world) =>
      world.write('agents/helper.md', '---\nhistroy: low\ntools: [file_raed]\n---\nx\n'),
    'console 2': (world) =>
      world.write('agents/my-agent.md', '---\nmodel: google/gemini-2.5-flash\n---\nHelp.\n'),
  },
  looks: {
    md: [
      (text) => expect(parseAgent('x', 'daily-monitor', text).trigger).toMatchObject({ type: 'schedule' }),
    ],
    text: [
      undefined,
      (text, world) => {
        expect(said(world, 'keepsake validate daily-monitor')).toBe(text.trim());
        expect(said(world, 'keepsake run daily-monitor')).toContain('Noted.');
        expect(said(world, 'keepsake why')).toMatch(/^Prompt of daily-monitor, session ses_/);
      },
    ],
  },
};

const CONVERSATIONS: Page = {
  // Archives are named after the moment at which they were made; and the page ends one client before it goes on with the next part.
  change: (text) =>
    text
      .replaceAll("'history_2026-04-20_14-30-45.md'", '(await memory.archives.list())[0]!.name')
      .replaceAll("'history_2026-04-20_16-12-08.md'", '(await memory.archives.list()).at(-1)!.name')
      .replace('await client.close();', ''),
  assumed: {
    types:
      "declare const summarizer: NonNullable<import('keepsake').ContextCompressorOptions['summarizer']>;",
    values: "const summarizer = { generate: async () => ({ text: 'A summary.' }) };",
  },
  looks: {
    '': [
      (text, world) => {
        // The third folder comes with the first export.
        world.write('agents/ResearchAgent/exports/x', '');
        drawn(text, world, (path) => path.replace(/history_\S+/, firstArchive(world)));
      },
    ],
    md: [
      (text) => {
        const { header, blocks } = parseTranscript(text);
        expect(header.agent).toBe('ResearchAgent');
        expect(blocks.map(({ role }) => role)).toEqual(['User', 'ResearchAgent']);
      },
    ],
  },
};

const GUARD: Page = {
  proves: 'B-34 B-35',
  // The first is shown and let go, the second deleted.
  idFor: async (line, world) =>
    idsIn(said(world, 'keepsake guard list'))[line.includes('delete') ? 1 : 0] ?? 'none',
};

/** The program of the page adds documents for another agent, which the commands after it do not show. */
let beforeProgram = '';
const apart = (world: World): void => {
  beforeProgram = world.cwd;
  world.cwd = world.workspace();
  cpSync(join(beforeProgram, 'docs'), join(world.cwd, 'docs'), { recursive: true });
};

const KNOWLEDGE: Page = {
  proves: 'A-68',
  before: {
    'ts 1': apart,
    'md 1': (world) => {
      world.cwd = beforeProgram;
    },
  },
  ready: (world, blocks) => {
    world.write('docs/keys.md', blocks('md')[0]!);
    world.write('docs/office.html', blocks('html')[0]!);
    world.write('docs/plan.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]));
    world.write('agents/my-agent/notes/auth.md', '# Auth\n\nThe proxy strips the bearer token.\n');
  },
  // There is no network where tests run.
  exits: { 'keepsake knowledge add https:': 64 },
  assumed: {
    types: "declare const myDatabase: import('keepsake').LongTermMemory;",
    values: "const myDatabase = { query: async () => [], add: async () => 'x' };",
  },
  looks: {
    md: [(text, world) => expect(world.read('docs/keys.md')).toBe(text)],
    html: [(text, world) => expect(world.read('docs/office.html')).toBe(text)],
  },
};

const SECTIONS: Page = {
  proves: 'D-15 D-24 D-26',
  looks: {
    md: [
      (text, world) => expect(world.read('agents/assistant.memory.md')).toBe(text),
      // Words for a prompt: an agent that has them is one.
      (text) => expect(parseAgent('x', 'x', `---\nname: x\n---\n${text}`).prompt).toBe(text.trim()),
    ],
  },
};

/** The model of the page answers every request with the same words. */
const OPENAI_AGENTS: Page = {
  assumed: {
    types: "declare const model: import('@openai/agents-core').Model;",
    values: `const { Usage, setTracingDisabled } = await import('@openai/agents-core');
setTracingDisabled(true);
const content = [{ type: 'output_text' as const, text: 'Noted.' }];
const output = [{ type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content }];
const model = {
  getResponse: async () => ({ usage: new Usage(), output }),
  async *getStreamedResponse(): AsyncGenerator<never> {},
};`,
  },
};

export const GUIDES: Pages = {
  'README.md': {},
  'docs/guides/agents.md': AGENTS,
  'docs/guides/conversations.md': CONVERSATIONS,
  'docs/guides/drivers.md': {
    // The second is a file of tests.
    programs: { 1: [1] },
    elsewhere: { 'ts 2': 'test/conformance/sqlite.test.ts' },
    assumed: {
      types: "declare function openMine(place: string): Promise<import('keepsake').Storage>;",
      values: `const { openSqlite } = await import('keepsake/drivers/sqlite');
const openMine = (place: string) => openSqlite({ file: place });`,
    },
  },
  'docs/guides/evaluate.md': { exits: { 'keepsake eval cases.jsonl --agent my-agent --min-recall 0.95': 1 } },
  'docs/guides/get-started.md': GET_STARTED,
  'docs/guides/privacy.md': {},
  'docs/guides/testing.md': {},
  'docs/guides/guard.md': GUARD,
  'docs/guides/inspector.md': {},
  'docs/guides/knowledge.md': KNOWLEDGE,
  'docs/guides/language-models.md': {},
  'docs/guides/mcp.md': {
    elsewhere: {
      'json 1': 'test/surfaces/mcp/guide.test.ts',
      'json 2': 'test/surfaces/mcp/guide.test.ts',
      'json 3': 'test/surfaces/mcp/guide.test.ts',
      'toml 1': 'test/surfaces/mcp/guide.test.ts',
      'text 1': 'test/surfaces/mcp/guide.test.ts',
    },
  },
  // Neither Ollama nor a key is here.
  'docs/guides/models.md': {
    exits: { 'keepsake re-embed --model ollama': 69, 'keepsake re-embed --model openai': 77 },
  },
  'docs/guides/recall.md': {
    // What the command shows is so after the first program, and only then.
    programs: { 1: [1], 6: [1, 2, 3, 4, 5, 6] },
    before: { 'ts 6': again },
  },
  'docs/guides/sections.md': SECTIONS,
  'docs/guides/server.md': {},
  'docs/guides/sizing.md': {},
  'docs/guides/troubleshooting.md': {},
  'docs/guides/upgrading.md': {
    ready: async (world) => {
      await world.type('keepsake memory add "A memory of 0.1."');
    },
  },
  'docs/reference/errors.md': {},
  'docs/guides/users.md': {},
  'docs/guides/chat-app.md': { ready: (world) => playModels(world, () => ({ text: 'The night train.' })) },
  'docs/guides/deployment.md': {},
  'docs/guides/monitor.md': {},
  'docs/guides/backup.md': {},
  'docs/guides/scale.md': {},
  'docs/guides/rotate-keys.md': {},
  'docs/guides/retention.md': {},
  'docs/guides/when-something-fails.md': {},
  'docs/reference/sdk.md': {},
  'docs/guides/frameworks/langgraph.md': {},
  'docs/guides/frameworks/anthropic.md': {},
  'docs/guides/frameworks/openai-agents.md': OPENAI_AGENTS,
  'docs/guides/frameworks/more.md': {},
};
