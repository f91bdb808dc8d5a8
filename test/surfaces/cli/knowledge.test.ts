/** `keepsake knowledge` and `keepsake notes` in real processes, started from the sources; and what their guide shows. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/index.ts';
import { workspaceInit } from '../../../src/operations/workspace/init.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const MAIN = pathToFileURL(join(root, 'src/surfaces/cli/main.ts')).href;
const PROGRAM = `
  import { rmSync } from 'node:fs';
  const { run } = await import(${JSON.stringify(MAIN)});
  for (const [program, ...words] of JSON.parse(process.argv[1])) {
    const code = program === 'rm' ? rmSync(words[0]) : await run(words);
    process.stdout.write('\\0' + (code ?? 0) + '\\0');
    process.stderr.write('\\0');
  }`;
const GUIDE = readFileSync(join(root, 'docs/guides/knowledge.md'), 'utf8');

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
  workspaceInit({ folder: cwd });
});

function write(name: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), text);
}

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands one after the other, in one process since starting one takes most of the time. */
async function keepsake(...commands: readonly (readonly string[])[]): Promise<Said[]> {
  const { PATH = '' } = process.env;
  const options = { cwd, env: { PATH, HOME: cwd } };
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, '--', JSON.stringify(commands)],
    options,
  );
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => (said.stdout += part));
  child.stderr.on('data', (part: Buffer) => (said.stderr += part));
  await new Promise((ended) => child.on('close', ended));
  const [out, err] = [said.stdout.split('\0'), said.stderr.split('\0')];
  expect([out.length, err.length]).toEqual([2 * commands.length + 1, commands.length + 1]);
  return commands.map((_, i) => ({ stdout: out[2 * i]!, code: Number(out[2 * i + 1]), stderr: err[i]! }));
}

describe('docs/guides/knowledge.md', () => {
  /** Blocks of one language, in order. */
  const blocks = (language: string): string[] =>
    [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text!);

  it('A-68 shows what its program prints', () => {
    write('docs/keys.md', blocks('md')[0]!);
    const api = pathToFileURL(join(root, 'src/index.ts')).href;
    write('program.ts', blocks('ts')[0]!.replace("'keepsake'", JSON.stringify(api)));
    const { stdout, stderr } = spawnSync(process.execPath, ['program.ts'], { cwd, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: blocks('text')[0], stderr: '' });
  });

  it('shows what the commands print', async () => {
    write('docs/keys.md', blocks('md')[0]!);
    write('docs/office.html', blocks('html')[0]!);
    write('docs/plan.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]));
    write('agents/my-agent/notes/auth.md', '# Auth\n\nThe proxy strips the bearer token.\n');
    const shown = blocks('console')
      .join('\n')
      .split(/^\$ /m)
      .slice(1)
      .map((block) => block.split(/\n([\s\S]*)/) as [command: string, output: string]);
    expect(shown.length).toBeGreaterThan(5);
    const commands = shown.map(([command]) =>
      [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!),
    );
    const said = await keepsake(...commands);
    shown.forEach(([command, output], i) => {
      const { stdout, stderr } = said[i]!;
      const text = `${stdout}${stderr}`.replace(/today \d\d:\d\d/g, 'today 12:00').trim();
      expect(`${command}\n${text}`).toBe(`${command}\n${output.trim()}`);
    });
  });
});

describe('knowledge', () => {
  it('A-18 reports in JSON what was skipped and why, and makes the vectors before it ends', async () => {
    write('docs/a.md', 'The parrot likes pineapple.');
    write('docs/b.bin', new Uint8Array([0, 1]));
    const [added, found, meant] = await keepsake(
      ['keepsake', 'knowledge', 'add', 'docs', '--json'],
      ['keepsake', 'knowledge', 'search', 'parrot', '--quiet'],
      ['keepsake', 'knowledge', 'search', 'a bird and its fruit', '--json'],
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(added!.stdout)).toEqual({
      files: 2,
      added: 1,
      updated: 0,
      removed: 0,
      skipped: [{ path: 'docs/b.bin', reason: expect.stringContaining('binary') }],
    });
    expect(found?.stdout).toBe('docs/a.md:1\n');
    expect(JSON.parse(meant!.stdout)).toMatchObject([{ citation: 'docs/a.md:1', factors: { coverage: 0 } }]);
    const client = createClient({ workspace: cwd });
    onTestFinished(() => client.close());
    expect(await (await client.open()).embedder.health()).toMatchObject({ embedded: 1, waiting: 0 });
  });

  it('erases for more than one agent only when that is said', async () => {
    write('docs/a.md', 'The parrot likes pineapple.');
    const [, , refused, one, left, both, all] = await keepsake(
      ['keepsake', 'knowledge', 'add', 'docs', '--agent', 'ada'],
      ['keepsake', 'knowledge', 'add', 'docs', '--agent', 'bob'],
      ['keepsake', 'knowledge', 'remove', 'docs', '--yes'],
      ['keepsake', 'knowledge', 'remove', 'docs', '--agent', 'ada'],
      ['keepsake', 'knowledge', 'remove', 'docs/a.md'],
      ['keepsake', 'knowledge', 'remove', 'docs', '--all-agents'],
      ['keepsake', 'knowledge', 'list', '--json'],
    );
    expect(refused).toMatchObject({ code: 64, stdout: '' });
    expect(refused?.stderr).toContain('docs is known to 2 agents: ada, bob.');
    expect(refused?.stderr).toContain('--all-agents');
    expect(one?.stdout).toBe('✓ Erased 1 chunk of 1 file.\n');
    expect(left?.stdout).toBe('✓ Erased 1 chunk of 1 file.\n');
    expect(both?.stderr).toContain('Nothing of docs is known.');
    expect(JSON.parse(all!.stdout)).toEqual([]);
  });

  it('A-19 refuses MEMORY.md in one sentence', async () => {
    write('agents/my-agent/MEMORY.md', '# Log');
    const [said] = await keepsake(['keepsake', 'knowledge', 'add', 'agents/my-agent/MEMORY.md']);
    expect(said?.code).toBe(64);
    expect(said?.stderr).toMatch(
      /^error: agents\/my-agent\/MEMORY\.md cannot be added\. It is the log of an agent/,
    );
  });
});
