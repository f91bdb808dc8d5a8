/** docs/guides/agents.md: the agent that it shows is one, and `validate` says of it what the page says. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { agentsValidate } from '../../../src/administration/agents-validate.ts';
import { chooseTools, examineAgents, parseAgent } from '../../../src/agents/markdown/index.ts';
import { reportLines } from '../../../src/surfaces/cli/commands/validate.ts';
import { Output } from '../../../src/surfaces/cli/output.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/guides/agents.md'), 'utf8');
const markdownAgents = page.slice(page.indexOf('## Agents in Markdown'));
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(markdownAgents)![1]!;

async function validated(name: string, text: string): Promise<string> {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, 'agents'));
  writeFileSync(join(workspace, 'agents', `${name}.md`), text);
  const report = await agentsValidate({ workspace });
  return `${reportLines(report, new Output({ json: false, quiet: false, color: false })).join('\n')}\n`;
}

afterEach(() => vi.unstubAllEnvs());

it('D-13 D-27 the agent of the guide is valid, and looks as the guide says', async () => {
  vi.stubEnv('GEMINI_API_KEY', 'not-a-real-one');
  expect(await validated('daily-monitor', block('md'))).toBe(block('text'));
});

it('the mistakes of the guide are told as it says', async () => {
  const [, ...said] = block('console').split('\n');
  expect(await validated('helper', '---\nhistroy: low\ntools: [file_raed]\n---\nx\n')).toBe(said.join('\n'));
});

it('the tools of the guide are all there are', () => {
  const packs = [...page.matchAll(/^\| `(sections|files|http|facts|context|swarm)` \| (.+) \|$/gm)];
  expect(packs).toHaveLength(6);
  for (const [, pack, tools] of packs) {
    const named = [...tools!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
    for (const tool of chooseTools({ tools: [pack!] }, false).names.filter(
      (name) => !name.startsWith('memory_'),
    )) {
      expect(named).toContain(tool);
    }
  }
  expect(page).toContain('tools: [file_read, facts]');
  expect(parseAgent('x', 'x', '---\ntools: [file_read, facts]\n---\nx').tools).toHaveLength(2);
});

it('D-31 says how to use both memories well', () => {
  for (const tip of [
    'Start with the defaults',
    'Say in the prompt what to note',
    'Name sections after their topic',
    'Ask the agent to write a section again when it grows',
  ]) {
    expect(page).toContain(tip);
  }
});

it('D-28 D-29 D-30 the examples are valid agents', async () => {
  for (const name of ['assistant', 'news-curator', 'researcher']) {
    const found = await examineAgents(join(root, 'examples', name, 'agents'));
    expect(found.map((agent) => [agent.name, agent.examined.problems])).toEqual([[name, []]]);
  }
});
