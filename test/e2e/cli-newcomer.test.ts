/** What someone meets who is new, looks around, mistypes, or works in a place that went away. */
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { program, runCli } from '../surfaces/cli/support/run-cli.ts';

let cwd: string;
const run = (...args: string[]) => runCli(args, { cwd });

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-newcomer-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
});

describe('before there is a workspace', () => {
  const home = () => join(cwd, 'home/.keepsake');

  it.each([
    [['memory', 'list'], 'No memories in this workspace.\n'],
    [['memory', 'search', 'tea'], 'Nothing found in this workspace.\n'],
    [['log', 'get'], 'No messages.\n'],
    [['sections', 'list'], 'No sections.\n'],
    [['agents'], 'No agent has stored anything yet.\n'],
  ])('%j answers that there is nothing and makes none', async (args, stdout) => {
    expect(await run(...args)).toMatchObject({ code: 0, stdout });
    expect((await run(...args, '--json')).stdout).toBe('[]\n');
    expect(existsSync(home())).toBe(false);
  });

  it.each([['export', 'all.keepsake'], ['reindex'], ['re-embed']])(
    '%s has nothing to do, says so and makes none',
    async (...args) => {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([66, expect.stringContaining(`no workspace is at ${home()}`)]);
      expect([home(), join(cwd, 'all.keepsake')].map((path) => existsSync(path))).toEqual([false, false]);
    },
  );

  it('says where it looked', async () => {
    expect((await run('memory', 'list')).stderr).toContain(home());
    const { code, stderr } = await run('memory', 'get', 'mem_01arz3ndektsv4rrffq69g5fav');
    expect(code).toBe(66);
    expect(stderr).toContain(`no workspace is at ${home()}`);
    expect((await run('compact')).code).toBe(66);
    expect(existsSync(join(home(), 'agents'))).toBe(false);
  });
});

describe('asking', () => {
  it('help goes as deep as the words lead', async () => {
    const { code, stdout } = await run('help', 'memory', 'add');
    expect(code).toBe(0);
    expect(stdout).toBe((await run('memory', 'add', '--help')).stdout);
    expect((await run('help', 'memory')).stdout).toBe((await run('memory', '--help')).stdout);
    expect((await run('help')).stdout).toBe((await run('--help')).stdout);
    const wrong = await run('help', 'memory', 'ad');
    expect(wrong.code).toBe(64);
    expect(wrong.stderr).toContain('Did you mean add?');
  });

  it.each(['-v', 'version', '-V', '--version'])('%s is the version', async (word) => {
    expect((await run(word)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await run(word, '--json')).stdout)).toHaveProperty('version');
  });

  it('a group without a verb is a JSON error where JSON was asked for', async () => {
    const { code, stdout, stderr } = await run('memory', '--json');
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'INVALID_INPUT', hint: expect.stringContaining('search') },
    });
  });

  it('a misspelt variable of the environment is pointed out on stderr', async () => {
    const env = { KEEPSAKE_HISTROY: 'low' };
    const { stdout, stderr } = await runCli(['memory', 'add', 'Likes tea.', '--quiet'], { cwd, env });
    expect({ stdout: stdout.length > 0, stderr }).toEqual({ stdout: true, stderr: '' });
    const loud = await runCli(['memory', 'list'], { cwd, env });
    expect(loud.stderr).toContain('KEEPSAKE_HISTROY has no effect; did you mean KEEPSAKE_HISTORY?');
    expect(loud.stdout).not.toContain('HISTROY');
  });
});

describe('answers', () => {
  it('tell a filter without matches from an empty workspace', async () => {
    await run('memory', 'add', 'Likes tea.', '--agent', 'anna');
    expect((await run('memory', 'list', '--category', 'other')).stdout).toBe(
      'No such memories in this workspace.\n',
    );
  });

  it('do not call an agent unknown that is listed', async () => {
    await run('memory', 'add', 'Likes tea.', '--agent', 'anna');
    expect(await run('log', 'get', '--agent', 'anna')).toMatchObject({
      stdout: 'No messages.\n',
      stderr: '',
    });
    expect((await run('log', 'get', '--agent', 'ana')).stderr).toContain('Known agents: anna');
  });

  it('name the verbs of the command line, not tools', async () => {
    const { stderr } = await runCli(['sections', 'append', 'notes', '-'], {
      cwd,
      stdin: 'line\n'.repeat(60),
    });
    expect(stderr).toContain('"keepsake sections get"');
    expect(stderr).not.toContain('memory_');
  });

  it('of doctor say nothing twice', async () => {
    await run('memory', 'add', 'Likes tea.');
    const lines = (await run('doctor', '--verbose')).stdout.split('\n').filter((line) => line !== '');
    expect(lines.filter((line, i) => lines.indexOf(line) !== i)).toEqual([]);
  });
});

describe('a place that is not there', () => {
  it('the current folder was deleted', async () => {
    const gone = join(cwd, 'gone');
    const script = `mkdir '${gone}' && cd '${gone}' && rmdir '${gone}' && '${process.execPath}' '${program}' "$@"`;
    for (const args of [['memory', 'list'], ['doctor'], ['init'], ['memory', 'add', 'x']]) {
      const prefix = ['sh', '-c', script.replace('"$@"', args.join(' '))];
      const { code, stderr } = await runCli([], { cwd, prefix });
      expect(code, args.join(' ')).toBe(66);
      expect(stderr).toMatch(/The folder that this process works in does not exist any more\.\nhint: /);
    }
  });

  it('a link leads nowhere', async () => {
    const link = join(cwd, 'link');
    symlinkSync(join(cwd, 'nowhere'), link);
    const env = { WORKSPACE_DIR: link };
    const sentence = `${link} is a symbolic link to ${join(cwd, 'nowhere')}, which does not exist.`;
    for (const [args, more] of [
      [['memory', 'list'], { env }],
      [['memory', 'add', 'x'], { env }],
      [['memory', 'add', 'x', '--workspace', link], {}],
      [['init', link], {}],
    ] as const) {
      const { code, stderr } = await runCli(args, { cwd, ...more });
      expect(code, args.join(' ')).toBe(66);
      expect(stderr).toContain(sentence);
    }
  });

  it('a file is in the way', async () => {
    const file = join(cwd, 'file');
    writeFileSync(file, '');
    const named = await runCli(['memory', 'list'], { cwd, env: { WORKSPACE_DIR: file } });
    expect(named).toMatchObject({ code: 64, stderr: expect.stringContaining('is a file') });
    const below = await runCli(['memory', 'list'], { cwd, env: { WORKSPACE_DIR: join(file, 'x') } });
    expect(below).toMatchObject({ code: 64, stderr: expect.stringContaining('is a file') });
  });
});
