/** A person at a terminal and a program at the other end of a pipe get what suits them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/surfaces/cli/terminal/width.ts';
import { json, program, runCli, runOnTerminal, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

const ESCAPE = '\u001b';
let cwd: string;
let id: string;

beforeEach(async () => {
  cwd = temporaryWorkspace();
  const content = `Prefers short answers 简短的回答 🎉 and ${'very '.repeat(40)}long stories.`;
  ({ id } = await json<{ id: string }>(['memory', 'add', '--category', 'preference', content], { cwd }));
});

/** Without colours and cursor movements. */
const bare = (screen: string): string => screen.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');

describe('on a terminal', () => {
  it.each([40, 60, 80, 100, 200])('fits %i columns', async (columns) => {
    const { code, screen } = await runOnTerminal(['memory', 'list'], { cwd, columns });
    expect(code).toBe(0);
    expect(bare(screen)).toContain(id);
    for (const line of bare(screen).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('breaks no word of a remark or a failure', async () => {
    for (const args of [['memory', 'list', '--limit', '1'], ['agents', 'one', 'too', 'many'], ['nonsense']]) {
      const { screen } = await runOnTerminal(args, { cwd, columns: 44 });
      for (const line of bare(screen).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(44);
    }
  });

  it('has colours, unless they are not wanted', async () => {
    const search = ['memory', 'search', 'answers'];
    expect((await runOnTerminal(search, { cwd })).screen).toContain(`${ESCAPE}[`);
    expect((await runOnTerminal([...search, '--no-color'], { cwd })).screen).not.toContain(ESCAPE);
    expect((await runOnTerminal(search, { cwd, env: { NO_COLOR: '1' } })).screen).not.toContain(ESCAPE);
    expect((await runOnTerminal(['--help'], { cwd })).screen).toContain(`${ESCAPE}[1mCare:`);
    expect((await runOnTerminal(['--help', '--no-color'], { cwd })).screen).not.toContain(ESCAPE);
  });

  it('does not obey what a memory contains', async () => {
    const content = `${ESCAPE}[2J${ESCAPE}]0;owned\u0007 wiped`;
    const { id: evil } = await json<{ id: string }>(['memory', 'add', content], { cwd });
    for (const args of [
      ['list'],
      ['get', evil],
      ['get', evil, '--quiet'],
      ['search', 'wiped'],
      ['history', evil],
    ]) {
      const { screen } = await runOnTerminal(['memory', ...args], { cwd });
      expect(screen).toContain('␛[2J');
      expect(screen).not.toMatch(/\u001b\[2J|\u001b\]/);
    }
    expect((await runCli(['memory', 'get', evil, '--quiet'], { cwd })).stdout).toBe(`${content}\n`);
  });

  it('escapes in --json what would drive it, also in an error and line by line', async () => {
    const content = 'left \u202e right \u009b2J';
    const { id: evil } = await json<{ id: string }>(['memory', 'add', content], { cwd });
    await json(['log', 'add', 'user', content, '--agent', 'default'], { cwd });
    for (const args of [
      ['memory', 'get', evil],
      ['memory', 'get', `mem_${content}`],
      ['log', 'get', '--agent', 'default'],
    ]) {
      const { screen } = await runOnTerminal([...args, '--json'], { cwd });
      expect(screen).toMatch(/\\u202e/);
      expect(screen).not.toMatch(/[\u202e\u009b]/);
      expect((await runCli([...args, '--json'], { cwd })).stderr).not.toContain('\\u202e');
    }
  });

  it('asks before forgetting, and takes no for an answer', async () => {
    const refused = await runOnTerminal(['memory', 'forget', id], { cwd, answer: 'n\n' });
    expect(bare(refused.screen)).toContain('Forget "Prefers short answers');
    expect(bare(refused.screen)).toContain('Nothing was changed.');
    expect(refused.code).toBe(130);
    expect(await json(['memory', 'list'], { cwd })).toMatchObject([{ id, accessCount: 0 }]);

    const agreed = await runOnTerminal(['memory', 'forget', id], { cwd, answer: 'yes\n' });
    expect(bare(agreed.screen)).toContain(`Forgot ${id}`);
    expect(agreed.code).toBe(0);
  });

  it('does not ask with --yes, nor about what does not exist', async () => {
    const missing = await runOnTerminal(['memory', 'forget', 'mem_nothing'], { cwd });
    expect(missing.code).toBe(66);
    const { code, screen } = await runOnTerminal(['memory', 'forget', id, '--yes'], { cwd });
    expect(code).toBe(0);
    expect(screen).not.toContain('[y/N]');
  });

  it('asks on stderr, so that JSON stays JSON', async () => {
    const { code, screen } = await runOnTerminal(['memory', 'forget', id, '--json'], { cwd, answer: 'y\n' });
    expect(code).toBe(0);
    expect(JSON.parse(screen.slice(screen.indexOf('{')))).toMatchObject({ id });
  });

  it('takes an end of input, and Ctrl-C, for a no', async () => {
    for (const answer of ['\u0004', '\u0003']) {
      const { code } = await runOnTerminal(['memory', 'forget', id], { cwd, answer });
      expect(code).toBe(130);
    }
    expect(await json(['memory', 'list'], { cwd })).toHaveLength(1);
  });
});

describe('in a pipe', () => {
  it('has no colours and cuts nothing', async () => {
    const { stdout } = await runCli(['memory', 'list'], { cwd });
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).toContain('long stories.');
  });

  it('has colours when they are forced', async () => {
    const { stdout } = await runCli(['memory', 'list'], { cwd, env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain(ESCAPE);
  });

  it('survives a reader that leaves early', async () => {
    const text = 'x'.repeat(900_000);
    await runCli(['memory', 'add', '-'], { cwd, stdin: text });
    const line = `'${process.execPath}' '${program}' memory list --json; echo "exit $?" >&2`;
    const child = spawn('bash', ['-c', `{ ${line}; } | head -c 10 >/dev/null`], { cwd });
    let stderr = '';
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    await once(child, 'close');
    expect(stderr).toBe('exit 0\n');
  });

  it('says so when the output cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program, 'memory', 'list'], {
      cwd,
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr!.on('data', (part) => {
      stderr += part;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(74);
    expect(stderr).toBe('error: the output could not be written (ENOSPC).\n');
  });
});
