/** `keepsake hook` in real processes: whatever goes wrong, it answers `{}` and ends with 0. And notes that are watched. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scriptedModel } from '../../src/testing/index.ts';
import {
  json,
  program,
  type RunOptions,
  restrict,
  runCli,
  startCli,
  temporaryFolder,
  temporaryWorkspace,
  withoutRoot,
} from '../surfaces/cli/support/run-cli.ts';

const EVENTS = [
  'session-start',
  'user-prompt-submit',
  'post-tool-use',
  'pre-compact',
  'post-compact',
  'session-end',
];
const INPUT = {
  session_id: 's-1',
  transcript_path: '/nowhere/x.jsonl',
  prompt: 'How does the deploy work here?',
  compact_summary: 'Did things.',
};

const hook = (event: string, options: RunOptions & { input?: object }) =>
  runCli(['hook', event], { stdin: JSON.stringify({ ...INPUT, ...options.input }), ...options });

/** Claude Code shows what hooks of a compaction print, so they print nothing; the others answer with an object. */
async function expectNothing(run: ReturnType<typeof hook>): Promise<void> {
  const { code, stdout } = await run;
  expect(code).toBe(0);
  expect(['{}\n', '']).toContain(stdout);
}

describe('a hook that works', () => {
  it('puts memory in front of the model', async () => {
    const cwd = temporaryWorkspace();
    await json(
      ['memory', 'add', 'Never push to main.', '--category', 'instruction', '--agent', 'default-agent'],
      { cwd },
    );
    await json(['memory', 'add', 'Deploys run from the harbour pipeline.', '--agent', 'default-agent'], {
      cwd,
    });
    const start = JSON.parse((await hook('session-start', { cwd })).stdout);
    expect(start.hookSpecificOutput.hookEventName).toBe('SessionStart');
    expect(start.hookSpecificOutput.additionalContext).toContain('Never push to main.');
    // As another agent, who knows nothing.
    const stranger = await hook('session-start', { cwd, env: { KEEPSAKE_AGENT: 'stranger' } });
    expect(stranger.stdout).not.toContain('Never push');
    expect(await hook('post-compact', { cwd })).toMatchObject({ code: 0, stdout: '' });
    expect(await hook('pre-compact', { cwd })).toMatchObject({ code: 0, stdout: '' });
    const listed = await json<{ source: string; content: string }[]>(['memory', 'list'], { cwd });
    expect(listed[0]).toMatchObject({ source: 'session_summary', content: 'Did things.' });
  });
});

describe('session-end', () => {
  it('answers at once and goes on learning by itself', async () => {
    const operation = {
      op: 'add',
      category: 'fact',
      content: 'The user tends bees.',
      confidence: 0.9,
      from: 'user',
    };
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    const server = await scriptedModel(async () => {
      await mayAnswer;
      return { json: { operations: [operation], summary: {} } };
    });
    onTestFinished(() => server.close());
    const cwd = temporaryWorkspace();
    const models = { main: 'compatible/test', baseUrl: server.url };
    writeFileSync(join(cwd, 'keepsake.jsonc'), JSON.stringify({ name: 'default-agent', models }));
    const transcript_path = join(cwd, 'transcript.jsonl');
    const said = ['I tend bees.', 'How nice.', 'They are well.', 'Good.'].map((content, i) => {
      const role = i % 2 === 0 ? 'user' : 'assistant';
      return JSON.stringify({ type: role, message: { role, content } });
    });
    writeFileSync(transcript_path, said.join('\n'));
    // The model has not said a word when the hook is done.
    await expectNothing(hook('session-end', { cwd, input: { transcript_path } }));
    letAnswer();
    await vi.waitFor(
      async () => {
        const learned = await json<{ content: string }[]>(['memory', 'list', '--source', 'extracted'], {
          cwd,
        });
        expect(learned).toMatchObject([{ content: 'The user tends bees.' }]);
      },
      { timeout: 60_000, interval: 250 },
    );
  });
});

/** What is common to all hooks comes before any of them: each event meets one of the causes, and each cause one event. */
const pairs = <T>(causes: readonly T[]): [event: string, cause: T][] =>
  Array.from({ length: Math.max(EVENTS.length, causes.length) }, (_, i) => [
    EVENTS[i % EVENTS.length]!,
    causes[i % causes.length]!,
  ]);

describe('every hook answers {} and ends with 0', () => {
  it('when its input is broken, empty, of another kind or missing', async () => {
    const cwd = temporaryWorkspace();
    const inputs = [
      '{"prompt": ',
      '',
      '[]',
      '{"prompt": 7, "compact_summary": {}, "tool_input": 3}',
      '\u0000\u0001',
      'null',
    ];
    await Promise.all(
      pairs(inputs).map(([event, stdin]) => expectNothing(runCli(['hook', event], { cwd, stdin }))),
    );
    const closed = startCli(['hook', 'session-start'], { cwd, prefix: ['sh', '-c', 'exec "$@" <&-', 'sh'] });
    let out = '';
    closed.stdout?.on('data', (chunk) => {
      out += chunk;
    });
    expect([(await once(closed, 'close'))[0], out]).toEqual([0, '{}\n']);
  });

  it('when there is no workspace, a broken one, or none where it was said to be', async () => {
    const empty = temporaryFolder();
    const broken = temporaryWorkspace();
    writeFileSync(join(broken, 'keepsake.jsonc'), '{ "memory": ');
    const damaged = temporaryWorkspace();
    await json(['memory', 'add', 'x'], { cwd: damaged });
    writeFileSync(join(damaged, 'data/keepsake.db'), 'this is no database, '.repeat(1_000));
    const stdin = JSON.stringify(INPUT);
    const causes = [
      { cwd: empty, args: [] },
      { cwd: empty, args: ['--workspace', 'nowhere'] },
    ];
    const told = JSON.parse((await runCli(['hook', 'session-start'], { cwd: broken, stdin })).stdout);
    expect(told).toEqual({ systemMessage: expect.stringContaining('keepsake.jsonc') });
    await expectNothing(runCli(['hook', 'user-prompt-submit'], { cwd: broken, stdin }));
    for (const [event, { cwd, args }] of pairs(causes))
      await expectNothing(runCli(['hook', event, ...args], { cwd, stdin }));
    // This is found out by each of them when it opens the database.
    const [first, ...others] = EVENTS;
    const { code, stdout } = await hook(first!, { cwd: damaged });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: expect.stringMatching(/^Keepsake is off in this session: .*keepsake doctor/s),
    });
    for (const event of others) await expectNothing(hook(event, { cwd: damaged }));
  });

  it('when it is called in a wrong way', async () => {
    const cwd = temporaryWorkspace();
    const stdin = JSON.stringify(INPUT);
    const wrong = [
      ['--agent', '../x'],
      ['--unknown', 'flag'],
      ['one', 'too', 'many'],
      // As with a variable that is not set.
      ['--agent'],
      ['--workspace'],
    ];
    for (const [event, args] of pairs(wrong))
      await expectNothing(runCli(['hook', event, ...args], { cwd, stdin }));
  });
});

describe('a hook', () => {
  it('answers {} to an event that does not exist, and to none', async () => {
    const cwd = temporaryWorkspace();
    await expectNothing(hook('stop-everything', { cwd }));
    await expectNothing(hook('__proto__', { cwd }));
    await expectNothing(runCli(['hook'], { cwd, stdin: '{}' }));
  });

  it('does not wait for a database that is locked', async () => {
    const cwd = temporaryWorkspace();
    await json(['memory', 'add', 'Deploys are green.'], { cwd });
    const database = new Database(join(cwd, 'data/keepsake.db'));
    onTestFinished(() => void database.close());
    database.exec('BEGIN EXCLUSIVE');
    const started = performance.now();
    const { code, stdout, stderr } = await hook('user-prompt-submit', { cwd });
    // Reading may go on beside a writer; what must not happen is a failure, or waiting for the lock of the other.
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(stderr).not.toContain('Error:');
    await expectNothing(hook('post-compact', { cwd }));
  });

  it('answers {} when nothing can be written', async () => {
    const cwd = temporaryWorkspace();
    await json(['memory', 'add', 'Deploys are green.'], { cwd });
    for (const folder of ['data', '.']) restrict(join(cwd, folder), 0o555);
    chmodSync(join(cwd, 'data/keepsake.db'), 0o444);
    for (const event of ['post-compact', 'session-end', 'pre-compact']) {
      await expectNothing(hook(event, { cwd, prefix: withoutRoot }));
    }
    const { code, stdout } = await hook('session-start', { cwd, prefix: withoutRoot });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });

  it('answers {} when its input never comes', async () => {
    const child = startCli(['hook', 'user-prompt-submit'], { cwd: temporaryWorkspace() });
    let out = '';
    child.stdout?.on('data', (chunk) => {
      out += chunk;
    });
    // stdin stays open.
    expect([(await once(child, 'close'))[0], out]).toEqual([0, '{}\n']);
  });
});

describe('E-07 E-32 notes', () => {
  it('that Claude Code writes are found', async () => {
    const cwd = temporaryWorkspace();
    const file = join(cwd, 'agents/default-agent/notes/auth-header-fix.md');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'The gateway wants the tenant header in lower case.\n');
    await expectNothing(
      hook('post-tool-use', { cwd, input: { tool_name: 'Write', tool_input: { file_path: file } } }),
    );
    const hits = await json<{ source: string }[]>(['memory', 'search', 'tenant header'], { cwd });
    expect(hits).toMatchObject([{ source: 'file_index' }]);
  });

  it('that a shell writes are found while they are watched, and at once with --once', async () => {
    const cwd = temporaryWorkspace();
    const notes = join(cwd, 'agents/default-agent/notes');
    mkdirSync(notes, { recursive: true });
    const watcher = startCli(['notes', 'watch', '--json'], { cwd });
    let out = '';
    watcher.stdout?.on('data', (chunk) => {
      out += chunk;
    });
    const reports = () =>
      out
        .split('\n')
        .filter((each) => each !== '')
        .map((each) => JSON.parse(each) as { added: number; removed: number });
    const sum = (key: 'added' | 'removed') => reports().reduce((total, report) => total + report[key], 0);
    await vi.waitFor(() => expect(reports()).toHaveLength(1), { timeout: 30_000 });
    const shell = startCli([], {
      cwd,
      prefix: ['sh', '-c', 'echo "The well is deep." > agents/default-agent/notes/well.md', program],
    });
    await once(shell, 'close');
    await vi.waitFor(() => expect(sum('added')).toBe(1), { timeout: 30_000 });
    const mover = startCli([], {
      cwd,
      prefix: [
        'sh',
        '-c',
        'mv agents/default-agent/notes/well.md agents/default-agent/notes/gone.txt',
        program,
      ],
    });
    await once(mover, 'close');
    await vi.waitFor(() => expect(sum('removed')).toBe(1), { timeout: 30_000 });
    watcher.kill('SIGINT');
    expect((await once(watcher, 'close'))[0]).toBe(130);
    writeFileSync(join(notes, 'late.md'), 'The bell rings late.\n');
    expect(await json(['notes', 'watch', '--once'], { cwd })).toMatchObject({ files: 1, added: 1 });
  });
});
