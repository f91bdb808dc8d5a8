/** The programs and commands of the pages run, in order, in an empty workspace, and print what the pages show. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceInit } from '../../src/operations/workspace/init.ts';
import { commandLines } from '../docs/support/commands.ts';
import { programOf } from '../docs/support/programs.ts';
import { comparable, idsIn, keepsake, scoresIn, shownIn } from '../docs/support/run-commands.ts';
import { snippetsOf } from '../docs/support/snippets.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const blocksOf = (page: string, language: string) =>
  snippetsOf(page, readFileSync(join(root, page), 'utf8')).filter((each) => each.language === language);

/** A workspace that is found from its folder, as after `keepsake init`. */
function workspace(files: Readonly<Record<string, string>> = {}): string {
  const cwd = temporaryFolder();
  workspaceInit({ folder: cwd });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}

const MEM0 = JSON.stringify({
  results: [
    { id: 'a', memory: 'Likes green tea.', user_id: 'ana', categories: ['food'] },
    { id: 'b', memory: 'Lives in Porto.', user_id: 'ana' },
  ],
  relations: [{ source: 'ana', relationship: 'knows', target: 'ben' }],
});
const GRAPH = [
  { type: 'entity', name: 'Ada', entityType: 'person', observations: ['speaks French'] },
  { type: 'relation', from: 'Ada', to: 'Phoenix', relationType: 'leads' },
];
const MEMORY_MD =
  '# Agent Memory\n\n**Conversation:** x_conversation\n**Created:** 2026-01-01T00:00:00\n\n---\n\n## Interaction Log\n\n### User - 2026-01-01T00:00:01\nHello.\n\n---\n\n';

/** Runs all commands of the `console` blocks, and compares what each says with what the page shows. */
async function follow(page: string, cwd: string, without = /^$/): Promise<void> {
  const shown = blocksOf(page, 'console')
    .flatMap(({ text }) => shownIn(text))
    .filter(({ command }) => !without.test(command));
  expect(shown.length).toBeGreaterThan(0);
  const idOf = new Map<string, string>();
  for (const { command, output } of shown) {
    const typed = [...idOf].reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), command);
    const { text } = await keepsake(typed, cwd);
    idsIn(output).forEach((id, i) => void idOf.set(id, idsIn(text)[i] ?? id));
    expect(`${command}\n${comparable(text, cwd)}`).toBe(`${command}\n${comparable(output, cwd)}`);
    // Ranking is tuned now and then: a page may be a little behind, not wrong.
    const [ours, theirs] = [scoresIn(text), scoresIn(output)];
    for (const [i, score] of theirs.entries()) expect(Math.abs(score - ours[i]!)).toBeLessThan(0.1);
  }
}

/** Runs the programs of a page as one, in a workspace. */
function execute(page: string, cwd: string, count?: number): string {
  const program = programOf(blocksOf(page, 'ts').slice(0, count), { root, assumed: '' });
  writeFileSync(join(cwd, 'program.ts'), program.replaceAll("'keepsake'", `'${join(root, 'src/index.ts')}'`));
  const { stdout, stderr, status } = spawnSync(process.execPath, ['program.ts'], { cwd, encoding: 'utf8' });
  expect({ page, stderr, status }).toEqual({ page, stderr: '', status: 0 });
  return stdout;
}

describe('README.md', () => {
  it('has a first program that runs, and finds all of it again in another process', async () => {
    const cwd = workspace();
    // The second program needs a language model; agents have tests of their own.
    expect(execute('README.md', cwd, 1)).toContain('User prefers Python 3.12');
    expect(execute('README.md', cwd, 1)).toContain('User prefers Python 3.12');
    expect((await keepsake('log show --agent my-agent', cwd)).text).toContain(
      'The auth module ships on Friday.',
    );
    expect((await keepsake('sections show projects --agent my-agent', cwd)).text).toContain('Phoenix');
  });

  it('shows what its commands print', () => follow('README.md', workspace()));
});

describe('docs/guides', () => {
  it('get-started.md shows what its commands print', () => follow('docs/guides/get-started.md', workspace()));

  it('recall.md has programs that run, and shows what the command prints after the first', async () => {
    const cwd = workspace();
    expect(execute('docs/guides/recall.md', cwd, 1)).toContain('The car would not start this morning');
    await follow('docs/guides/recall.md', cwd);
    execute('docs/guides/recall.md', workspace());
  });

  it('moving.md shows what its commands print', async () => {
    const cwd = workspace({ 'mem0.json': MEM0 });
    for (let i = 1; i <= 6; i++) await keepsake(`memory add "Memory number ${i}."`, cwd);
    // Those need a server of Postgres and a key of a provider; moving.test.ts runs them.
    await follow('docs/guides/moving.md', cwd, /^(?:migrate|re-embed|reindex)\b/);
  });
});

describe('docs/guides/coming-from', () => {
  it.each([
    ['mem0', { 'mem0.json': MEM0 }],
    ['mcp-server-memory', { 'memory.jsonl': GRAPH.map((line) => JSON.stringify(line)).join('\n') }],
    ['swarms', { 'agent_workspace/agents/Researcher/MEMORY.md': MEMORY_MD }],
    ['agent-swarm', { 'agents/worker-1/notes/auth.md': '# Auth\n\nThe proxy strips the token.\n' }],
    [
      'agentmd',
      {
        'agents/project-assistant.md':
          '---\nmodel: google/gemini-2.5-flash\nhistory: medium\n---\n\nYou help.\n',
      },
    ],
    ['swarmlord', {}],
  ])('%s.md has commands that work', async (name, files) => {
    const cwd = workspace(files);
    const page = `docs/guides/coming-from/${name}.md`;
    const lines = blocksOf(page, 'sh').flatMap(({ text }) => commandLines(text, 'sh'));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      // A conversation needs a language model, and a person to talk to.
      if (line.startsWith('chat ')) continue;
      const [id] = idsIn(line);
      const known =
        id === undefined ? line : line.replace(id, (await keepsake('memory list --quiet', cwd)).text);
      // The page lets the reader agree.
      const { code, text } = await keepsake(known.startsWith('mcp install') ? `${known} --yes` : known, cwd);
      expect([line, code, text]).toEqual([line, 0, expect.any(String)]);
    }
  });
});
