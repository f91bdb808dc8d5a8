/** `keepsake chat` in real processes: with a pipe, and on a terminal. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../src/kernel/errors.ts';
import { agentsWorkspace, turnsOf } from './support/agents-workspace.ts';
import { onTerminal } from './support/terminal.ts';

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

  it('shows what went wrong, goes on, and exits with the code of the first failure', async () => {
    const { talk, write, model } = await agentsWorkspace([
      'one',
      { status: 500, message: 'out of order' },
      { text: ['half ', 'of it'], cutAfter: 1 },
      'four',
    ]);
    write('agents/planner.md', AGENT);
    const { code, stdout, stderr } = await talk('planner', 'a', 'b', 'c', '/nonsense', 'd');
    expect(code).toBe(ERROR_TABLE.UNAVAILABLE.exit);
    expect(stdout).toBe('one\nhalf \nfour\n');
    expect(stderr.match(/^error: /gm)).toHaveLength(3);
    expect(stderr).toContain('There is no command /nonsense.');
    expect(turnsOf(model.requests[3]!).at(-1)).toBe('user: b\n\nc\n\nd');
  });

  it('answers /memory, /why, /compact and /help', async () => {
    const { talk, write, model } = await agentsWorkspace([
      { toolCalls: [{ name: 'remember', arguments: { content: 'The module ships on Friday.' } }] },
      'Remembered.',
      'Yes.',
      'The module ships on Friday; the user asked about it twice.',
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
    expect(stdout).toMatch(/Left out \(1\):\n {2}mem_\w+ .*: already in the prompt/);
    expect(stdout).toMatch(/messages became a summary; the log keeps all of them\.\nAnd after\.\n/);
    expect(stdout).toContain('/exit');
    expect(stderr).toMatch(/· remembered: a fact \(mem_/);
    // The model writes the summary, and is told in words which tools were used.
    expect(model.requests[3]!.prompt).toContain(
      'planner: remember({"content":"The module ships on Friday."})',
    );
    expect(turnsOf(model.requests[4]!)).toEqual(['user: Go on.']);
    expect(JSON.stringify(model.requests[4]!.messages)).toContain('the user asked about it twice');
  });

  it('/memory shows a section by its name, and what facts and sections say about words', async () => {
    const { talk, keepsake, write } = await agentsWorkspace([]);
    write('agents/planner.md', AGENT);
    write(
      'agents/planner.memory.md',
      '# Team\nAlice: backend\nBob: frontend\n\n# deadlines\nBackend: Friday\n',
    );
    await keepsake('memory', 'add', '--agent', 'planner', '--content', 'The backend is written in Go.');
    const { stdout } = await talk('planner', '/memory team', '/memory backend', '/memory nonsense');
    expect(stdout.split('\n')).toEqual([
      '# Team',
      'Alice: backend',
      'Bob: frontend',
      expect.stringMatching(/^\d\.\d\d \(fact\) The backend is written in Go\.$/),
      '# Team: Alice: backend',
      '# deadlines: Backend: Friday',
      'Nothing is remembered about that.',
      '',
    ]);
  });

  it('D-09 a running chat sees what other processes said', async () => {
    const { keepsake, start, write, model } = await agentsWorkspace((_, index) => `answer ${index}`);
    write('agents/planner.md', AGENT);
    const chat = start('chat', 'planner');
    chat.stdin!.write('One.\n');
    await once(chat.stdout!, 'data');
    expect((await keepsake('run', 'planner', 'Two.')).stdout).toBe('answer 1\n');
    chat.stdin!.end('Three.\n');
    await once(chat, 'close');
    expect(turnsOf(model.requests[2]!)).toEqual([
      'user: One.',
      'assistant: answer 0',
      'user: Two.',
      'assistant: answer 1',
      'user: Three.',
    ]);
  });

  it('says how to create the file of an agent that has memory, and creates it with --create', async () => {
    const { talk, keepsake, write, read } = await agentsWorkspace(['Hello.']);
    expect((await talk('planner', 'Hi')).stderr).not.toContain('--create');
    write('agents/planner.memory.md', '# team\nAlice\n');
    const refused = await talk('planner', 'Hi');
    expect(refused.code).toBe(ERROR_TABLE.NOT_FOUND.exit);
    expect(refused.stderr).toContain('"keepsake chat planner --create" creates one');
    expect((await keepsake('chat', 'planner', '--create')).code).toBe(0);
    expect(read('agents/planner.md')).toContain('You are planner.');
    expect((await talk('planner', 'Hi')).stdout).toBe('Hello.\n');
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
  it('greets, prompts, stops an answer at Ctrl-C and keeps it marked, and leaves at Ctrl-D', async () => {
    const workspace = await agentsWorkspace([{ text: ['It ', 'goes ', 'on'], hangAfter: 2 }, 'Short.']);
    workspace.write('agents/planner.md', AGENT);
    const { code, left } = await onTerminal(['chat', 'planner'], workspace, [
      [/› /, 'Tell me all.\r'],
      [/goes /, '\u0003'],
      [/stopped before[\s\S]*› /, 'And now?\r'],
      [/Short\.[\s\S]*› /, '\u0004'],
    ]);
    expect(left).toEqual([]);
    expect(code).toBe(0);
    expect(turnsOf(workspace.model.requests[1]!)).toEqual([
      'user: Tell me all.',
      'assistant: It goes\n\n[The answer was stopped here.]',
      'user: And now?',
    ]);
  });

  it('takes what is pasted as one prompt, and sends it at Enter', async () => {
    const workspace = await agentsWorkspace(['Read.', 'Again.']);
    workspace.write('agents/planner.md', AGENT);
    const { code, left } = await onTerminal(['chat', 'planner'], workspace, [
      [/\u001b\[\?2004h[\s\S]*› /, 'Read this: \u001b[200~/one\r\n\ttwo \\\nthree\u0007\n\u001b[201~'],
      // Nothing was sent yet, so the line can still be changed.
      [/three/, '!\r'],
      [/Read\.[\s\S]*› /, '\u001b[200~/etc/hosts\nis not a command\u001b[201~\r'],
      [/Again\.[\s\S]*› /, '/exit\r'],
    ]);
    expect(left).toEqual([]);
    expect(code).toBe(0);
    expect(workspace.model.requests.map(({ prompt }) => prompt)).toEqual([
      'Read this: /one\n\ttwo \\\nthree!',
      '/etc/hosts\nis not a command',
    ]);
  });

  it('clears the line at Ctrl-C, also one that goes on in the next', async () => {
    const workspace = await agentsWorkspace(['Heard.']);
    workspace.write('agents/planner.md', AGENT);
    const { code, left } = await onTerminal(['chat', 'planner'], workspace, [
      [/› /, 'wrong'],
      [/wrong/, '\u0003'],
      [/› /, 'first \\\r'],
      [/… /, 'second'],
      [/second/, '\u0003'],
      [/› /, 'right\r'],
      [/Heard\.[\s\S]*› /, '\u0003'],
      [/\/exit or Ctrl-D leaves[\s\S]*› /, '\u0004'],
    ]);
    expect(left).toEqual([]);
    expect(code).toBe(0);
    expect(workspace.model.requests.map(({ prompt }) => prompt)).toEqual(['right']);
  });

  it('erases nothing that was streamed when the window changes its size', async () => {
    const workspace = await agentsWorkspace([
      { text: ['One long answer ', 'that stays'], hangAfter: 2 },
      'Short.',
    ]);
    workspace.write('agents/planner.md', AGENT);
    const resize = (columns: number) => (tty: string) =>
      promisify(execFile)('stty', ['-F', tty, 'cols', String(columns), 'rows', '20']);
    const { parts, left } = await onTerminal(['chat', 'planner'], workspace, [
      [/› /, 'Tell me all.\r'],
      // Typed ahead, and longer than the window: drawn when the prompt comes back.
      [/that stays/, 'x'.repeat(50)],
      [/^/, resize(30)],
      [/^/, '\u0003'],
      [/stopped before[\s\S]*xx/, resize(200)],
      [/x{50}/, '\u0003'],
      [/› /, '\u0004'],
    ]);
    expect(left).toEqual([]);
    const [, , typed, shrunk] = parts;
    // Neither the typed text nor the resize draws anything into the answer.
    expect(`${typed}${shrunk}`).toBe('');
    // After the window grew the line begins in its own row: no row above it may be erased.
    expect(parts[5]).not.toMatch(/\u001b\[\d+A/);
  });

  it('offers to create the file of an agent that has memory', async () => {
    const workspace = await agentsWorkspace(['Hello again.']);
    await workspace.keepsake('memory', 'add', '--agent', 'planner', '--content', 'Ships on Friday.');
    const { code, left } = await onTerminal(['chat', 'planner'], workspace, [
      [/planner has memory, but no file agents\/planner\.md\. Create it\? \[Y\/n\] /, '\r'],
      [/created [\s\S]*› /, 'Hello\r'],
      [/Hello again\.[\s\S]*› /, '\u0004'],
    ]);
    expect(left).toEqual([]);
    expect(code).toBe(0);
    expect(workspace.read('agents/planner.md')).toContain('You are planner.');
    expect((await workspace.keepsake('validate', 'planner')).code).toBe(0);
  });
});
