/** `keepsake run` and `keepsake why` in real processes. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { runCli } from '../surfaces/cli/support/run-cli.ts';
import { agentsWorkspace, systemOf, turnsOf } from './support/agents-workspace.ts';

const AGENT = '---\nhistory: medium\n---\nYou watch a machine.\n';

describe('keepsake run', () => {
  it('D-09 D-11 shows the second run what was said in the first', async () => {
    const { keepsake, write, model } = await agentsWorkspace(['Latency is 20 ms.', 'It grew to 30 ms.']);
    write('agents/monitor.md', AGENT);
    expect(await keepsake('run', 'monitor')).toEqual({
      code: 0,
      signal: null,
      stdout: 'Latency is 20 ms.\n',
      stderr: '',
    });
    expect((await keepsake('run', 'monitor', 'And', 'now?')).stdout).toBe('It grew to 30 ms.\n');
    expect(turnsOf(model.requests[1]!)).toEqual([
      'user: Begin.',
      'assistant: Latency is 20 ms.',
      'user: And now?',
    ]);
  });

  it.each([
    { level: 'low', prompts: 6, sent: 10 },
    { level: 'medium', prompts: 30, sent: 50 },
  ])('D-04 D-05 D-08 sends the last $sent messages with history $level, and keeps all', async (given) => {
    const { level, prompts, sent } = given;
    const { keepsake, talk, write, model } = await agentsWorkspace((_, index) => `answer ${index}`);
    write('keepsake.jsonc', '{ "persistentMemory": false }');
    // Low is the default.
    write('agents/monitor.md', `---\n${level === 'low' ? '' : `history: ${level}`}\n---\nYou watch.\n`);
    await talk('monitor', ...Array.from({ length: prompts }, (_, i) => `question ${i}`));
    await keepsake('run', 'monitor', 'the last');
    const turns = turnsOf(model.requests.at(-1)!);
    expect(turns).toHaveLength(sent + 1);
    expect(turns[0]).toBe(`user: question ${prompts - sent / 2}`);
    expect(turns.at(-1)).toBe('user: the last');
    const { stdout } = await keepsake('log', 'get', '--agent', 'monitor', '--limit', '100', '--json');
    expect(JSON.parse(stdout)).toHaveLength(2 * (prompts + 1));
  });

  it('D-07 D-14 keeps nothing with history off, and has the tools of sections all the same', async () => {
    const { keepsake, write, read, model } = await agentsWorkspace([
      { toolCalls: [{ name: 'memory_save', arguments: { section: 'seen', content: 'once' } }] },
      'Saved.',
      'Fresh.',
    ]);
    write('agents/forgetful.md', '---\nhistory: off\ntools: []\n---\nYou forget.\n');
    expect((await keepsake('run', 'forgetful', 'one')).stdout).toBe('Saved.\n');
    expect((await keepsake('run', 'forgetful', 'two')).stdout).toBe('Fresh.\n');
    const last = model.requests.at(-1)!;
    expect(last.tools.map(({ name }) => name).sort()).toEqual([
      'memory_append',
      'memory_retrieve',
      'memory_save',
    ]);
    expect(turnsOf(last)).toEqual(['user: two']);
    expect(JSON.stringify(last.messages)).not.toContain('one');
    expect(read('agents/forgetful.memory.md')).toBe('# seen\nonce\n');
    expect(JSON.parse((await keepsake('log', 'get', '--agent', 'forgetful', '--json')).stdout)).toEqual([]);
  });

  it('D-10 writes the system message again for each run', async () => {
    const { keepsake, write, model } = await agentsWorkspace(['one', 'two']);
    write('agents/monitor.md', AGENT);
    await keepsake('run', 'monitor');
    write('agents/monitor.md', AGENT.replace('a machine', 'the sea'));
    write('agents/monitor.memory.md', '# tides\nhigh at noon\n');
    await keepsake('run', 'monitor');
    const [first, second] = model.requests.map(systemOf);
    expect(first).toContain('You watch a machine.');
    expect(first).not.toContain('## Long-term Memory');
    expect(second).toContain('You watch the sea.');
    expect(second).not.toContain('a machine');
    expect(second).toContain('- tides');
    expect(second).toMatch(/\b20\d\d\b/);
  });

  it('answers in JSON with what it took', async () => {
    const { keepsake, write } = await agentsWorkspace([
      { text: 'One moment.', toolCalls: [{ name: 'memory_retrieve', arguments: { section: 'none' } }] },
      'Nothing yet.',
    ]);
    write('agents/monitor.md', AGENT);
    const { code, stdout, stderr } = await keepsake('run', 'monitor', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      agent: 'monitor',
      session: expect.stringMatching(/^ses_/),
      text: 'Nothing yet.',
      loops: 2,
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      cost: null,
      tools: [{ name: 'memory_retrieve', arguments: { section: 'none' }, ok: false }],
    });
  });

  it('fails with the code of the table and says what to do', async () => {
    const { keepsake, write, cwd } = await agentsWorkspace([{ status: 500 }]);
    write('agents/monitor.md', AGENT);
    write('agents/wrong.md', '---\nhistroy: low\n---\nx\n');
    write('agents/keyless.md', '---\nmodel: google/gemini-2.5-flash\n---\nx\n');
    expect(await keepsake('run', 'moniter')).toMatchObject({
      code: 66,
      stdout: '',
      stderr: expect.stringContaining('Did you mean "monitor"?'),
    });
    expect(await keepsake('run', 'wrong')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(`${cwd}/agents/wrong.md:2:1 histroy`),
    });
    expect(await keepsake('run', 'keyless')).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('GEMINI_API_KEY'),
    });
    expect(await keepsake('run', 'monitor')).toMatchObject({ code: 69, stdout: '' });
  });

  it('stops cleanly at Ctrl-C: what was said is kept, and the next run works', async () => {
    const { start, keepsake, write, cwd } = await agentsWorkspace([
      { text: ['This ', 'never ', 'ends'], hangAfter: 2 },
      'Back again.',
    ]);
    write('agents/monitor.md', AGENT);
    const child = start('run', 'monitor', 'Tell me everything.');
    const out: string[] = [];
    child.stdout!.on('data', (part: Buffer) => {
      out.push(String(part));
      if (out.join('').includes('never')) child.kill('SIGINT');
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(out.join('')).toBe('This never \n');
    await using client = createClient({ workspace: cwd });
    const events = await client.events.read({
      types: ['session.sent', 'session.aborted', 'session.completed'],
    });
    expect(events.map(({ type }) => type)).toEqual(['session.sent', 'session.aborted']);
    expect((await keepsake('run', 'monitor')).stdout).toBe('Back again.\n');
    const { stdout } = await keepsake('log', 'get', '--agent', 'monitor', '--json');
    expect(stdout).toContain('Tell me everything.');
  });

  it('B-15 nobody has to wait for the review: Ctrl-C leaves it to the next run', async () => {
    let reviews = 0;
    const proposal = {
      operations: [{ op: 'add', content: 'The user runs nginx on port 8443.', confidence: 1 }],
    };
    const { start, keepsake, write, cwd } = await agentsWorkspace(({ prompt }) => {
      if (!prompt.includes('<transcript>')) return 'Noted.';
      if (++reviews > 1) return { json: proposal };
      setTimeout(() => child.kill('SIGINT'), 100);
      return { hang: true };
    });
    write('keepsake.jsonc', '{ "memory": { "enabled": true, "minMessagesToExtract": 2 } }');
    write('agents/monitor.md', AGENT);
    const child = start('run', 'monitor', 'I run nginx on port 8443.');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    const known = async () => (await keepsake('memory', 'list', '--agent', 'monitor')).stdout;
    expect(await known()).not.toContain('The user runs nginx');
    expect((await keepsake('run', 'monitor', 'Go on.')).code).toBe(0);
    expect(await known()).toContain('The user runs nginx on port 8443.');
    expect(readdirSync(join(cwd, 'data', 'reviews'))).toEqual([]);
  });

  it('never lets an answer rule the terminal', async () => {
    const { keepsake, write } = await agentsWorkspace(['\u001b[2Jgone\u0007']);
    write('agents/monitor.md', AGENT);
    expect((await keepsake('run', 'monitor')).stdout).toBe('␛[2Jgone␇\n');
  });

  it('takes the task from stdin', async () => {
    const { write, model, cwd, env } = await agentsWorkspace(['Read.']);
    write('agents/monitor.md', AGENT);
    const { stdout } = await runCli(['run', 'monitor', '-'], { cwd, env, stdin: 'A long\ntask.\n' });
    expect(stdout).toBe('Read.\n');
    expect(model.requests[0]!.prompt).toBe('A long\ntask.');
  });
});

describe('keepsake why', () => {
  it('shows the receipts of the last session, of one, and of an agent', async () => {
    const { keepsake, write } = await agentsWorkspace((_, index) => `answer ${index}`);
    write('keepsake.jsonc', '{ "memory": { "enabled": true, "minMessagesToExtract": 100 } }');
    write('agents/one.md', AGENT);
    write('agents/two.md', AGENT);
    expect(await keepsake('why')).toMatchObject({
      code: 66,
      stderr: expect.stringContaining('keepsake run'),
    });
    await keepsake(
      'memory',
      'add',
      'The machine is called Juno.',
      '--agent',
      'one',
      '--category',
      'preference',
    );
    const { session } = JSON.parse((await keepsake('run', 'one', 'Which machine?', '--json')).stdout);
    await keepsake('run', 'two');
    expect((await keepsake('why')).stdout).toMatch(
      /^Prompt of two, session ses_\w+, (?:to|yester)day \d\d:\d\d$/m,
    );
    const { code, stdout } = await keepsake('why', session);
    expect(code).toBe(0);
    expect(stdout).toContain(`Prompt of one, session ${session}`);
    expect(stdout).toContain('Included memories (1):');
    expect(stdout).toContain('The machine is called Juno.');
    expect((await keepsake('why', '--agent', 'one')).stdout).toBe(stdout);
    expect(JSON.parse((await keepsake('why', session, '--json')).stdout)).toMatchObject({
      session,
      agent: 'one',
      receipts: [{ loop: 1, receipt: { agent: 'one', memories: [{ category: 'preference' }] } }],
    });
    expect(await keepsake('why', 'ses_none')).toMatchObject({ code: 66 });
  });
});
