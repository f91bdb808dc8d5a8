/** `keepsake chat` in real processes: with a pipe, and on a terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { program } from '../surfaces/cli/support/run-cli.ts';
import { agentsWorkspace, turnsOf } from './support/agents-workspace.ts';

const AGENT = '---\ndescription: Plans projects\nhistory: high\n---\nYou plan projects.\n';

describe('keepsake chat with a pipe', () => {
  it('D-06 D-12 remembers the chat before, and ends at /exit', async () => {
    const { talk, write, model } = await agentsWorkspace((_, index) => `answer ${index}`);
    write('agents/planner.md', AGENT);
    const first = await talk(
      'planner',
      'The module ships on Friday.',
      '',
      'Alice does the backend.',
      '/exit',
      'Not heard.',
    );
    expect(first).toEqual({ code: 0, signal: null, stdout: 'answer 0\nanswer 1\n', stderr: '' });
    expect((await talk('planner', 'Who does the backend?')).stdout).toBe('answer 2\n');
    expect(turnsOf(model.requests[2]!)).toEqual([
      'user: The module ships on Friday.',
      'assistant: answer 0',
      'user: Alice does the backend.',
      'assistant: answer 1',
      'user: Who does the backend?',
    ]);
  });

  it('shows what went wrong and goes on', async () => {
    const { talk, write, model } = await agentsWorkspace([
      'one',
      { status: 500, message: 'out of order' },
      { text: ['half ', 'of it'], cutAfter: 1 },
      'four',
    ]);
    write('agents/planner.md', AGENT);
    const { code, stdout, stderr } = await talk('planner', 'a', 'b', 'c', '/nonsense', 'd');
    expect(code).toBe(0);
    expect(stdout).toBe('one\nhalf \nfour\n');
    expect(stderr.match(/^error: /gm)).toHaveLength(3);
    expect(stderr).toContain('There is no command /nonsense.');
    expect(turnsOf(model.requests[3]!).at(-1)).toBe('user: d');
  });

  it('answers /memory, /why, /compact and /help', async () => {
    const { talk, write, model } = await agentsWorkspace([
      { toolCalls: [{ name: 'remember', arguments: { content: 'The module ships on Friday.' } }] },
      'Remembered.',
      'Yes.',
      'And after.',
    ]);
    write('keepsake.jsonc', '{ "memory": { "enabled": true, "minMessagesToExtract": 100 } }');
    write('agents/planner.md', AGENT);
    write('agents/planner.memory.md', '# team\nAlice\nBob\n');
    const { code, stdout, stderr } = await talk(
      'planner',
      '/why',
      'The module ships on Friday.',
      '/memory',
      '/memory module',
      'When does it ship?',
      '/why',
      '/compact',
      'Go on.',
      '/help',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Nothing was asked yet\.\nRemembered\.\n# team \(2 lines\)\n\(fact\) The module ships/,
    );
    expect(stdout).toMatch(
      /\n\d\.\d\d \(fact\) The module ships on Friday\.\nYes\.\nPrompt of planner, session ses_/,
    );
    // One receipt: that of the last answer, and none of those before.
    expect(stdout.match(/^Prompt of planner/gm)).toHaveLength(1);
    expect(stdout).toMatch(/Left out \(1\):\n {2}mem_\w+ .*: the prompt says it already/);
    expect(stdout).toMatch(/messages became a summary; the log keeps all of them\.\nAnd after\.\n/);
    expect(stdout).toContain('/exit');
    expect(stderr).toMatch(/· remembered: a fact \(mem_/);
    expect(turnsOf(model.requests[3]!).at(-1)).toBe('user: Go on.');
    expect(turnsOf(model.requests[3]!)).not.toContain('user: When does it ship?');
  });

  it('takes a prompt of several lines', async () => {
    const { talk, write, model } = await agentsWorkspace(['Both.']);
    write('agents/planner.md', AGENT);
    expect((await talk('planner', 'one \\', 'two')).stdout).toBe('Both.\n');
    expect(model.requests[0]!.prompt).toBe('one \ntwo');
  });

  it('says at once that no model can be asked', async () => {
    const { talk, write } = await agentsWorkspace([]);
    write('agents/planner.md', '---\nmodel: none\n---\nx\n');
    expect(await talk('planner', 'hello', 'hello?')).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringContaining('No language model is configured'),
    });
  });
});

describe('keepsake chat on a terminal', () => {
  it('greets, prompts, stops an answer at Ctrl-C, and leaves at Ctrl-D', async () => {
    const { cwd, env, write } = await agentsWorkspace([
      { text: ['It ', 'goes ', 'on'], hangAfter: 2 },
      'Short.',
    ]);
    write('agents/planner.md', AGENT);
    const { PATH = '' } = process.env;
    const child = spawn('script', ['-qec', `'${process.execPath}' '${program}' chat planner`, '/dev/null'], {
      cwd,
      env: { PATH, HOME: cwd, TERM: 'xterm-256color', NO_COLOR: '1', ...env },
    });
    let screen = '';
    const steps: [shows: RegExp, keys: string][] = [
      [/› /, 'Tell me all.\r'],
      [/goes /, '\u0003'],
      [/stopped before[\s\S]*› /, 'And now?\r'],
      [/Short\.[\s\S]*› /, '\u0004'],
    ];
    child.stdout.on('data', (part: Buffer) => {
      screen += part;
      const [step] = steps;
      if (step === undefined || !step[0].test(screen)) return;
      steps.shift();
      screen = '';
      child.stdin.write(step[1]);
    });
    const [code] = await once(child, 'close');
    expect(steps).toEqual([]);
    expect(code).toBe(0);
  });
});
