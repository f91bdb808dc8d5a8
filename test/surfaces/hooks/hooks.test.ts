/** What each hook of Claude Code does, on a real workspace. Failures are tried with real processes, in test/e2e/hooks.test.ts. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { workspaceDoctor } from '../../../src/administration/doctor.ts';
import { workspaceInit } from '../../../src/administration/init.ts';
import type { Client } from '../../../src/client/index.ts';
import { createClient } from '../../../src/index.ts';
import { answerHook, HOOK_NAMES } from '../../../src/surfaces/hooks/index.ts';
import { noteOwner, summaryIn } from '../../../src/surfaces/hooks/keeping.ts';
import { readTranscript } from '../../../src/surfaces/hooks/transcript.ts';
import { scriptedModel } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

interface World {
  readonly folder: string;
  readonly client: Client;
  hook(event: string, input: object): Promise<Record<string, unknown>>;
}

function world({ models = {}, ...settings }: { models?: object } = {}): World {
  const folder = temporaryFolder();
  workspaceInit({ folder, name: 'coder' });
  writeFileSync(
    join(folder, 'keepsake.jsonc'),
    JSON.stringify({ name: 'coder', models: { embedding: 'none', ...models }, ...settings }),
  );
  const client = createClient({ workspace: folder });
  const opened: Client[] = [client];
  onTestFinished(async () => {
    await Promise.all(opened.map((each) => each.close()));
  });
  return {
    folder,
    client,
    hook: async (event, input) => {
      const answer = await answerHook({
        event,
        workspace: folder,
        agent: undefined,
        read: async () => JSON.stringify({ session_id: 's-1', cwd: folder, ...input }),
        isMissing: async () => false,
        later: undefined,
        onClient: (each) => void opened.push(each),
      });
      await answer.after?.();
      return answer.output as Record<string, unknown>;
    },
  };
}

function contextOf(output: Record<string, unknown>): string {
  return (output.hookSpecificOutput as { additionalContext: string }).additionalContext;
}

describe('session-start', () => {
  it('shows what always holds, and nothing else', async () => {
    const { client, hook } = world();
    const memory = client.agent({ name: 'coder' }).memory;
    await memory.add({ content: 'Write tests first.', category: 'instruction' });
    await memory.add({ content: 'The port is 4711.' });
    await client.agent({ name: 'other' }).memory.add({ content: 'Speak Dutch.', category: 'instruction' });
    const output = await hook('session-start', { source: 'startup' });
    expect(output).toMatchObject({ hookSpecificOutput: { hookEventName: 'SessionStart' } });
    expect(contextOf(output)).toContain('Write tests first.');
    expect(contextOf(output)).not.toMatch(/4711|Dutch/);
    const [told] = await client.events.read({ types: ['memory.recalled'] });
    expect(told).toMatchObject({ agent: 'coder', session: 's-1', entryCount: 1 });
    expect((await memory.list({ category: 'instruction' }))[0]).toMatchObject({
      injectedCount: 1,
      accessCount: 0,
    });
  });

  it('says where notes go, once, and nothing else when there is nothing to say', async () => {
    const { folder, hook } = world();
    const { hookSpecificOutput } = await hook('session-start', { source: 'startup' });
    expect(hookSpecificOutput).toEqual({
      hookEventName: 'SessionStart',
      additionalContext: `Markdown notes that you write into ${join(folder, 'agents/coder/notes')} are found by later sessions.`,
    });
    expect(await hook('session-start', { source: 'resume' })).toEqual({});
  });

  it('indexes notes that were written just before the last session ended', async () => {
    const { folder, client, hook } = world();
    mkdirSync(join(folder, 'agents/coder/notes'), { recursive: true });
    writeFileSync(join(folder, 'agents/coder/notes/late.md'), 'The ferry timetable is in the hall.\n');
    await hook('session-start', { source: 'startup' });
    expect(await client.agent({ name: 'coder' }).memory.search('ferry timetable')).toHaveLength(1);
  });
});

describe('user-prompt-submit', () => {
  it('recalls what the prompt is about, within its bounds', async () => {
    const { client, hook } = world();
    const memory = client.agent({ name: 'coder' }).memory;
    await memory.add({ content: 'The release branch is cut on Thursdays.' });
    await memory.add({ content: 'Prefers tabs.', category: 'preference' });
    for (let i = 0; i < 40; i++) {
      await memory.add({
        content: `Release branch note ${i}: ${'the branch was released in good order '.repeat(6)}`,
      });
    }
    const output = await hook('user-prompt-submit', { prompt: 'On which day is the release branch cut?' });
    const text = contextOf(output);
    expect(text).toContain('Thursdays');
    // It stood at the start of the session already.
    expect(text).not.toContain('Prefers tabs');
    expect(text.length).toBeLessThan(2_000);
  });

  it('answers a question of one word, and no reply', async () => {
    const { client, hook } = world();
    await client.agent({ name: 'coder' }).memory.add({ content: 'The app uses Redis as its cache.' });
    expect(contextOf(await hook('user-prompt-submit', { prompt: 'cache?' }))).toContain('Redis');
    for (const prompt of ['Yes, go on', 'ok', 'Thanks!', '…'])
      expect(await hook('user-prompt-submit', { session_id: 's-3', prompt })).toEqual({});
  });

  it('shows the passage of a long memory that answers, cut at sentences and marked', async () => {
    const { client, hook } = world();
    const filler = (about: string) =>
      Array.from({ length: 30 }, (_, i) => `Paragraph ${i} tells of the ${about} in plain words.`).join(' ');
    const content = `${filler('harbour')} The staging database listens on port 6431. ${filler('lighthouse')}`;
    expect(content.length).toBeGreaterThan(2_095);
    await client.agent({ name: 'coder' }).memory.add({ content });
    const text = contextOf(
      await hook('user-prompt-submit', { prompt: 'Which port has the staging database?' }),
    );
    expect(text).toContain('The staging database listens on port 6431.');
    expect(text).toMatch(/\[…\] Paragraph \d+ tells of the harbour in plain words\./);
    expect(text).toMatch(/in plain words\. \[…\]/);
    expect(text.length).toBeLessThanOrEqual(1_500);
  });

  it('shows nothing twice in one session, unless it changed or the conversation was compacted', async () => {
    const { client, hook } = world();
    const { memory } = client.agent({ name: 'coder' });
    const { id } = await memory.add({ content: 'The release branch is cut on Thursdays.' });
    const ask = () => hook('user-prompt-submit', { prompt: 'When is the release branch cut?' });
    expect(contextOf(await ask())).toContain('Thursdays');
    expect(await ask()).toEqual({});
    // Another session has not seen it.
    const other = await hook('user-prompt-submit', {
      session_id: 's-2',
      prompt: 'When is the release branch cut?',
    });
    expect(contextOf(other)).toContain('Thursdays');
    await memory.update(id, { content: 'The release branch is cut on Fridays.' });
    expect(contextOf(await ask())).toContain('Fridays');
    expect(await ask()).toEqual({});
    await hook('session-start', { source: 'compact' });
    expect(contextOf(await ask())).toContain('Fridays');
  });

  it('keeps a receipt, which why shows', async () => {
    const { client, hook } = world();
    const { id } = await client.agent({ name: 'coder' }).memory.add({ content: 'Deploys run at noon.' });
    await hook('user-prompt-submit', { prompt: 'When do deploys run?' });
    const { session, receipts } = await client.agent({ name: 'coder' }).why();
    expect(session).toBe('s-1');
    expect(receipts.at(-1)?.receipt).toMatchObject({ session: 's-1', memories: [{ id, kind: 'relevant' }] });
    expect(receipts.at(-1)?.receipt.total.characters).toBeLessThanOrEqual(1_500);
  });

  it('takes a short question in Chinese for a question', async () => {
    const { client, hook } = world();
    await client.agent({ name: 'coder' }).memory.add({ content: '数据库密码在保险箱里。' });
    expect(contextOf(await hook('user-prompt-submit', { prompt: '数据库密码？' }))).toContain('保险箱');
  });

  it.each(['ok', '好的', '/compact', '   '])('leaves %j alone', async (prompt) => {
    const { client, hook } = world();
    await client.agent({ name: 'coder' }).memory.add({ content: 'ok /compact is a command.' });
    expect(await hook('user-prompt-submit', { prompt })).toEqual({});
  });
});

describe('post-tool-use', () => {
  it('E-07 E-32 E-40 indexes a note that was written, and takes away one that was removed', async () => {
    const { folder, client, hook } = world();
    const notes = join(folder, 'agents/coder/notes');
    mkdirSync(notes, { recursive: true });
    const file = join(notes, 'auth-header-fix.md');
    writeFileSync(file, '# Auth header\n\nThe gateway drops headers with underscores.\n');
    const input = { tool_name: 'Write', tool_input: { file_path: file, content: '…' } };
    expect(await hook('post-tool-use', input)).toEqual({});
    const search = () => client.agent({ name: 'coder' }).memory.search('headers with underscores');
    expect((await search())[0]).toMatchObject({ source: 'file_index', category: 'note', agent: 'coder' });
    rmSync(file);
    await hook('post-tool-use', { ...input, tool_name: 'Edit' });
    expect(await search()).toEqual([]);
  });

  it('indexes a note that was named by way of a link', async () => {
    const { folder, client, hook } = world();
    mkdirSync(join(folder, 'agents/coder/notes'), { recursive: true });
    writeFileSync(join(folder, 'agents/coder/notes/a.md'), 'The cellar door sticks.\n');
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    const file_path = join(link, 'agents/coder/notes/a.md');
    await hook('post-tool-use', { tool_name: 'Write', tool_input: { file_path } });
    expect(await client.agent({ name: 'coder' }).memory.search('cellar door')).toHaveLength(1);
  });

  it('knows notes from other files', () => {
    const folder = '/w/agents';
    expect(noteOwner('/w/agents/coder/notes/a.md', folder)).toBe('coder');
    expect(noteOwner('/w/agents/coder/notes/deep/er/a.markdown', folder)).toBe('coder');
    const others = [
      'coder/MEMORY.md',
      'coder/notes/a.txt',
      'coder/notes',
      '../notes/a.md',
      'coder.md',
      'coder/notes/../x.md',
    ];
    for (const other of others) expect(noteOwner(`/w/agents/${other}`, folder), other).toBeUndefined();
    expect(noteOwner('', folder)).toBeUndefined();
  });
});

describe('post-compact', () => {
  it('keeps the summary of the session, once, and the newest only', async () => {
    const { client, hook } = world();
    const memory = client.agent({ name: 'coder' }).memory;
    await hook('post-compact', { compact_summary: 'Fixed the parser; the lexer is next.' });
    await hook('post-compact', { compact_summary: 'Fixed the parser; the lexer is next.' });
    expect(await memory.list()).toMatchObject([
      { source: 'session_summary', category: 'session_summary', origin: 'agent', thread: 'session:s-1' },
    ]);
    await hook('post-compact', { compact_summary: 'Fixed parser and lexer.' });
    expect((await memory.list()).map(({ content }) => content)).toEqual(['Fixed parser and lexer.']);
    expect(await hook('post-compact', { compact_summary: '  ' })).toEqual({});
  });

  it('keeps the summary without the thoughts before it, and out of the session that it is about', async () => {
    const { client, hook } = world();
    const compact_summary =
      '<analysis>\nThe user asked for the parser.\n</analysis>\n\n<summary>\nThe parser reads TOML now.\n</summary>';
    await hook('post-compact', { compact_summary });
    const [kept] = await client.agent({ name: 'coder' }).memory.list();
    expect(kept?.content).toBe('The parser reads TOML now.');
    expect(await hook('user-prompt-submit', { prompt: 'What does the parser read?' })).toEqual({});
    const later = await hook('user-prompt-submit', {
      session_id: 's-2',
      prompt: 'What does the parser read?',
    });
    expect(contextOf(later)).toContain('The parser reads TOML now.');
    expect(summaryIn('<analysis>x</analysis>')).toBe('');
    expect(summaryIn('<analysis>x</analysis><summary>cut off')).toBe('cut off');
    expect(summaryIn('Plain words.')).toBe('Plain words.');
  });
});

const SAID = [
  { type: 'user', message: { role: 'user', content: 'I work on the billing team and we use pnpm.' } },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Noted.' },
        { type: 'tool_use', id: 't', name: 'Bash', input: {} },
      ],
    },
  },
  {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'pnpm 9' }] }],
    },
  },
  { type: 'user', isMeta: true, message: { role: 'user', content: 'Caveat: meta.' } },
  { type: 'user', message: { role: 'user', content: '<command-name>/clear</command-name>' } },
  { type: 'user', message: { role: 'user', content: 'Our deploys happen on Tuesdays.' } },
  { type: 'assistant', isSidechain: true, message: { role: 'assistant', content: 'from a subagent' } },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Good to know.' },
      ],
    },
  },
  { type: 'summary', summary: 'x' },
];

function transcript(folder: string): string {
  const file = join(folder, 'transcript.jsonl');
  writeFileSync(file, `${SAID.map((entry) => JSON.stringify(entry)).join('\n')}\n{"type":"user","mess`);
  return file;
}

describe('session-end and pre-compact', () => {
  it('read what people and tools said, and nothing else', async () => {
    expect(await readTranscript(transcript(temporaryFolder()))).toEqual([
      { role: 'user', text: 'I work on the billing team and we use pnpm.' },
      { role: 'assistant', text: 'Noted.' },
      { role: 'tool', text: 'pnpm 9' },
      { role: 'user', text: 'Our deploys happen on Tuesdays.' },
      { role: 'assistant', text: 'Good to know.' },
    ]);
  });

  it('learn with the configured model, and only once', async () => {
    const operation = {
      op: 'add',
      category: 'fact',
      content: "The user's team deploys on Tuesdays.",
      confidence: 0.9,
      from: 'user',
    };
    const server = await scriptedModel([
      { json: { operations: [operation], summary: { learned: ['Deploys are on Tuesdays.'] } } },
    ]);
    onTestFinished(() => server.close());
    const { folder, client, hook } = world({ models: { main: 'compatible/test', baseUrl: server.url } });
    const input = { transcript_path: transcript(folder) };
    await hook('pre-compact', { trigger: 'auto', ...input });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.prompt).toContain('Our deploys happen on Tuesdays.');
    const contents = async () =>
      (await client.agent({ name: 'coder' }).memory.list({ source: 'extracted' })).map(
        ({ content }) => content,
      );
    expect(await contents()).toEqual(["The user's team deploys on Tuesdays."]);
  });

  it('hand the work on, so that nobody waits for it', async () => {
    const { folder } = world({ models: { main: 'compatible/test', baseUrl: 'http://127.0.0.1:9' } });
    const input = JSON.stringify({ session_id: 's-1', transcript_path: transcript(folder) });
    const handed: string[] = [];
    const request = {
      agent: undefined,
      workspace: folder,
      read: async () => input,
      isMissing: async () => false,
    };
    for (const event of HOOK_NAMES) {
      await answerHook({
        ...{ ...request, event },
        later: async (given) => void handed.push(`${event} ${given}`),
        onClient: (client) => onTestFinished(() => client.close()),
      });
    }
    expect(handed).toEqual([`pre-compact ${input}`, `session-end ${input}`]);
  });

  it('without a model keep what the user plainly asked to keep, and propose the rest', async () => {
    const { folder, client, hook } = world();
    const { memory } = client.agent({ name: 'coder' });
    const said = (...texts: string[]) => {
      const lines = texts.map((content) =>
        JSON.stringify({ type: 'user', message: { role: 'user', content } }),
      );
      const file = join(folder, 'plain.jsonl');
      writeFileSync(file, lines.join('\n'));
      return { transcript_path: file };
    };
    const transcript_path = said('Remember that the staging host is heron.', 'Always run the linter first.');
    await hook('pre-compact', transcript_path);
    await hook('session-end', { reason: 'exit', ...transcript_path });
    expect(
      (await memory.list())
        .map(({ category, content, confidence }) => [category, content, confidence])
        .sort(),
    ).toEqual([
      ['fact', 'The staging host is heron.', 0.95],
      ['proposal', 'Always run the linter first.', 0.4],
    ]);
    // A proposal never stands among what always holds.
    expect(JSON.stringify(await hook('session-start', { source: 'startup' }))).not.toContain('linter');
  });

  it('say why nothing was reviewed: once in the conversation, and in events', async () => {
    const { folder, client, hook } = world({ models: { main: 'openai/gpt-5-mini' } });
    await hook('session-end', { transcript_path: transcript(folder) });
    const [event] = await client.events.read({ types: ['memory.extracted'] });
    expect(event).toMatchObject({
      status: 'failed',
      session: 's-1',
      reason: expect.stringContaining('needs a key'),
    });
    const first = await hook('session-start', { session_id: 's-2', source: 'startup' });
    expect(first.systemMessage).toMatch(/^Keepsake could not review the last session: .*needs a key/);
    expect(await hook('session-start', { session_id: 's-3', source: 'startup' })).not.toHaveProperty(
      'systemMessage',
    );
    const { findings } = await workspaceDoctor({
      ...{ workspace: folder, fix: false, now: Date.now() },
      program: { version: '0.1.0', oldestNode: '22.14' },
    });
    expect(findings.filter(({ check }) => check.startsWith('learning.'))).toMatchObject([
      { check: 'learning.model', severity: 'notice', message: expect.stringContaining('needs a key') },
      { check: 'learning.review', severity: 'notice' },
    ]);
  });
});

describe('a hook', () => {
  it('is one of six', () => {
    expect(HOOK_NAMES).toEqual([
      ...['session-start', 'user-prompt-submit', 'post-tool-use'],
      ...['pre-compact', 'post-compact', 'session-end'],
    ]);
  });

  it('does not make a workspace where nobody wants one', async () => {
    const folder = join(temporaryFolder(), 'nothing');
    const request = {
      workspace: folder,
      agent: undefined,
      read: async () => '{}',
      onClient: () => {},
      later: undefined,
    };
    expect(await answerHook({ ...request, event: 'session-start', isMissing: async () => true })).toEqual({
      output: {},
    });
    await expect(answerHook({ ...request, event: 'toString', isMissing: async () => true })).rejects.toThrow(
      'There is no hook',
    );
  });
});
