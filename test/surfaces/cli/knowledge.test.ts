/** `keepsake knowledge` and `keepsake notes` in real processes, started from the sources; test/e2e/docs runs what their guide shows. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { workspaceInit } from '../../../src/administration/init.ts';
import { createClient } from '../../../src/index.ts';
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
      files: 1,
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
    expect(both?.stderr).toContain('Nothing from docs is indexed.');
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
