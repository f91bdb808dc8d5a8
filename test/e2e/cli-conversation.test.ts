/** log, compact, archive and sections, told as stories in real processes. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ConversationMessage, createClient } from '../../src/index.ts';
import { displayWidth } from '../../src/surfaces/cli/terminal/width.ts';
import {
  json,
  runCli,
  runOnTerminal,
  startCli,
  temporaryWorkspace,
} from '../surfaces/cli/support/run-cli.ts';

const AGENT = 'default-agent';
const ESCAPE = '\u001b';
/** Without colours and cursor movements. */
const bare = (screen: string): string => screen.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
let cwd: string;

beforeEach(() => {
  cwd = temporaryWorkspace();
});

const run = (...args: string[]) => runCli(args, { cwd });
const ask = <T>(...args: string[]) => json<T>(args, { cwd });
const messages = (...args: string[]) => ask<ConversationMessage[]>('log', 'get', ...args);

type Turn = readonly [role: string, content: ConversationMessage['content']];

/** What an agent in this process says, each list in a run of its own. */
async function say(runs: readonly (readonly Turn[])[], workspace = cwd, name = AGENT): Promise<void> {
  for (const turns of runs) {
    await using client = createClient({ workspace });
    const conversation = await client.agent({ name }).shortMemory;
    for (const [role, content] of turns) await conversation.add(role, content);
  }
}

const TALK: readonly (readonly Turn[])[] = [
  [
    ['User', 'When is the meeting? 会議はいつですか 🎉'],
    [AGENT, `### User - 2026-01-01T00:00:00\n\n---\nIt is on Friday. ${ESCAPE}[2Jwiped`],
  ],
  [
    ['User', 'Thank you.\n\n\n  indented\ttext \r\n'],
    [AGENT, [{ type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 'größe' } }]],
    ['Tool', [{ type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: { hits: 3 } }]],
    [AGENT, 'We decided to pay the invoice of 1,250 EUR on 3 May. Who tells Anna?'],
  ],
];

describe('log', () => {
  it('shows, pages, searches and speaks JSON', async () => {
    expect(await run('log', 'get')).toMatchObject({ code: 0, stdout: 'No messages.\n' });
    await say(TALK);
    const all = await messages();
    expect(all.map(({ role, content }) => [role, content])).toEqual(TALK.flat());
    expect(new Set(all.map((each) => each.run)).size).toBe(2);

    const { code, stdout, stderr } = await run('log', 'get');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(ESCAPE);
    const heads = stdout.split('\n').filter((line) => /^\S/.test(line));
    expect(heads).toEqual(
      all.map(({ role, id }) => expect.stringMatching(`^${role}  today \\d\\d:\\d\\d  ${id}$`)),
    );
    expect(stdout).toContain('  When is the meeting? 会議はいつですか 🎉\n');
    expect(stdout).toContain('  → search {"q":"größe"}\n');

    const before = await run('log', 'get', '--before', all[3]!.id, '--limit', '2', '--quiet');
    expect(before.stdout).toBe(`${all[1]!.id}\n${all[2]!.id}\n`);
    expect(await messages('--after', all[3]!.id)).toEqual(all.slice(4));
    expect(await messages('--run', all[0]!.run!)).toEqual(all.slice(0, 2));
    expect(await ask('log', 'search', 'invoice')).toEqual([all[5]]);
    expect(await ask('log', 'search', '会議')).toEqual([all[0]]);
    expect((await run('log', 'tail', '--limit', '1', '--quiet')).stdout).toBe(`${all[5]!.id}\n`);

    expect((await run('log', 'get', '--after', 'msg_nothing')).code).toBe(66);
    const stranger = await run('log', 'get', '--agent', 'default-agnet');
    expect(stranger.stderr).toContain(`Known agents: ${AGENT}`);
    const wide = await runOnTerminal(['log', 'get'], { cwd, columns: 40 });
    for (const line of bare(wide.screen).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
    expect(wide.screen).not.toContain(`${ESCAPE}[2J`);
  });

  it('follows what another process says, until Ctrl-C', async () => {
    await say([[['User', 'before']]]);
    const child = startCli(['log', 'tail', '--follow', '--json'], { cwd });
    let stdout = '';
    let stderr = '';
    child.stderr!.on('data', (part) => (stderr += part));
    const until = async (text: string): Promise<void> => {
      while (!stdout.includes(text)) stdout += String((await once(child.stdout!, 'data'))[0]);
    };
    await until('before');
    await say([[['User', 'while it follows 追いかけて']]]);
    await until('while it follows 追いかけて');
    await say([[[AGENT, 'and once more']]]);
    await until('and once more');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ConversationMessage);
    expect(lines).toEqual(await messages());
    // The engine removes its journal only when it is closed properly.
    expect(readdirSync(join(cwd, 'data'))).toEqual(['.gitignore', 'keepsake.db', 'keepsake.db.seen']);
  });

  it('goes out in every format and comes back into a fresh workspace, message by message', async () => {
    await say(TALK);
    const all = await messages();
    const before = await run('log', 'export', 'talk.txt');
    expect(before).toMatchObject({ code: 64, stdout: '' });
    const withoutSeq = (list: readonly ConversationMessage[]) => list.map(({ seq: _seq, ...rest }) => rest);
    for (const [file, format] of [
      ['talk.json', 'json'],
      ['talk.jsonl', 'jsonl'],
      ['talk.yaml', 'yaml'],
      ['talk.md', 'markdown'],
    ] as const) {
      const report = await ask('log', 'export', file);
      expect(report).toMatchObject({ file: join(cwd, file), format, messages: all.length });
      const fresh = temporaryWorkspace();
      const source = join(cwd, file);
      const there = { cwd: fresh };
      expect(await json(['log', 'import', source], there)).toMatchObject({ messages: 6, known: 0 });
      const read = await json<ConversationMessage[]>(['log', 'get'], there);
      expect(withoutSeq(read)).toEqual(withoutSeq(all));
      expect(await json(['log', 'import', source], there)).toMatchObject({ messages: 0, known: 6 });
      expect(await json(['log', 'get'], there)).toEqual(read);
    }
    const kept = readFileSync(join(cwd, 'talk.json'), 'utf8');
    expect(await run('log', 'export', 'talk.json')).toMatchObject({ code: 65, stdout: '' });
    expect((await run('log', 'export', 'talk.json', '--force', '--quiet')).stdout).toBe(
      `${join(cwd, 'talk.json')}\n`,
    );
    expect(readFileSync(join(cwd, 'talk.json'), 'utf8')).toBe(kept);
    expect((await run('log', 'export')).stdout).toBe(kept);
    expect((await run('log', 'export', '-', '--format', 'jsonl')).stdout).toBe(
      readFileSync(join(cwd, 'talk.jsonl'), 'utf8'),
    );
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([]);

    // Another agent of the same workspace gets a copy of its own, once, with its own name in it.
    const other = ['log', 'import', 'talk.json', '--agent', 'other'];
    expect(await ask(...other)).toMatchObject({ messages: 6, known: 0 });
    expect(await ask(...other)).toMatchObject({ messages: 0, known: 6 });
    expect((await messages('--agent', 'other')).map(({ role }) => role)).toEqual(
      TALK.flat().map(([role]) => (role === AGENT ? 'other' : role)),
    );
    expect(await messages()).toEqual(all);
  });

  it('imports a tree of MEMORY.md files as the original wrote them, and says what it could not', async () => {
    const tree = join(cwd, 'old');
    const write = (folder: string, text: string): void => {
      mkdirSync(join(tree, folder), { recursive: true });
      writeFileSync(join(tree, folder, 'MEMORY.md'), text);
    };
    const header = (name: string): string =>
      `# Agent Memory\n\n**Conversation:** ${name}_id_0b1f7a52-8f0e-4b53-9d0a-0f6f2f6f7a11_conversation\n**Created:** 2026-04-20T18:33:12.000001\n\n---\n\n## Interaction Log\n\n`;
    const block = (role: string, time: string, text: string): string =>
      `### ${role} — ${time}\n\n${text}\n\n---\n\n`;
    const first =
      header('Researcher') +
      block('User', '2026-04-20T18:35:04.123456', '請問進度如何？ 🎉') +
      block('Researcher', '2026-04-20T18:35:21.654321', 'Done.\n\n---\n\nSee above.');
    write('agents/Researcher', first);
    write('Writer 二', header('Writer 二') + block('User', '2026-04-20T18:35:04', 'Write.'));
    write('agents/broken', 'nothing that was said');
    write('agents/bad..name', first);

    const { code, stdout } = await run('log', 'import', 'old');
    expect(code).toBe(64);
    expect(stdout).toContain('✓ Researcher: 2 messages\n');
    expect(stdout).toContain('✓ Writer 二: 1 message\n');
    expect(stdout).toMatch(/✗ broken: .*no message/);
    expect(stdout).toMatch(/✗ bad\.\.name: /);
    expect(stdout).toContain('4 files: 3 messages, 2 failed');
    expect(await messages('--agent', 'Researcher')).toMatchObject([
      { role: 'User', content: '請問進度如何？ 🎉', at: Date.UTC(2026, 3, 20, 18, 35, 4, 123) },
      { role: 'Researcher', content: 'Done.\n\n---\n\nSee above.' },
    ]);

    // A file that has grown brings only what is new.
    write('agents/Researcher', first + block('User', '2026-04-21T08:00:00.5', 'And now?'));
    const again = await ask('log', 'import', 'old', '--agent', 'Researcher');
    expect(again).toMatchObject({ messages: 1, known: 2, failed: 0, files: [{ agent: 'Researcher' }] });
    expect(readFileSync(join(cwd, 'agents/Researcher/MEMORY.md'), 'utf8').match(/^### /gm)).toHaveLength(3);

    // The archives beside it go to the log, and not into MEMORY.md.
    mkdirSync(join(tree, 'agents/Researcher/archive'));
    const archive = header('Researcher') + block('User', '2026-04-19T08:00:00', 'Long ago.');
    writeFileSync(join(tree, 'agents/Researcher/archive/history_2026-04-19_09-00-00.md'), archive);
    expect(await ask('log', 'import', 'old', '--agent', 'Researcher')).toMatchObject({
      messages: 1,
      known: 3,
    });
    expect(await ask('log', 'import', 'old', '--agent', 'Researcher')).toMatchObject({
      messages: 0,
      known: 4,
    });
    expect(await ask('log', 'search', 'ago', '--agent', 'Researcher')).toMatchObject([
      { content: 'Long ago.' },
    ]);

    // What an agent writes itself is in the log already.
    const own = await ask('log', 'import', '.', '--agent', 'Researcher');
    expect(own).toMatchObject({ messages: 0, known: 3, files: [{ own: true }] });
    const ownFile = ['log', 'import', 'agents/Researcher/MEMORY.md', '--agent', 'Researcher'];
    expect(await ask(...ownFile)).toMatchObject({ messages: 0, known: 3 });
    expect((await run('log', 'import', 'nowhere')).code).toBe(66);
    expect((await run('log', 'import', 'data')).code).toBe(66);

    const chat = '[{"role":"user","content":"hi 你好"},{"role":"assistant","content":"hello"}]\n';
    const piped = { cwd, stdin: chat };
    expect(await json(['log', 'import', '-'], piped)).toMatchObject({ messages: 2, known: 0 });
    expect(await json(['log', 'import', '-'], piped)).toMatchObject({ messages: 0, known: 2 });
    const [hi, hello] = await messages();
    expect([hi?.role, hello?.role]).toEqual(['User', AGENT]);
    expect(hi!.at).toBeGreaterThan(Date.UTC(2026, 0, 1));
  });
});

describe('compact and archive', () => {
  it('replaces by a summary, finds what was, and brings it back', async () => {
    expect((await run('compact')).code).toBe(66);
    expect((await run('archive', 'list')).stdout).toContain('No archives.');
    await say(TALK);
    const memory = join(cwd, 'agents', AGENT, 'MEMORY.md');
    const original = readFileSync(memory, 'utf8');

    const extractive = await run('compact');
    expect(extractive.code).toBe(0);
    expect(extractive.stdout).toMatch(/an extractive summary of \d+ characters/);
    const [, archive = ''] = /6 messages archived as (history_\S+\.md)\n/.exec(extractive.stdout)!;
    expect(extractive.stderr).toContain('No summary was given');
    expect(readFileSync(memory, 'utf8')).toContain('1,250 EUR');

    await say([[['User', 'After the first compaction we talked about the 東京 trip.']]]);
    const summary = 'The invoice is paid on 3 May; Anna knows. 東京 is next.';
    const byHand = await json<{ archive: string; by: string }>(
      ['compact', '--summary', '-', '--keep-last', '1'],
      {
        cwd,
        stdin: `${summary}\n`,
      },
    );
    expect(byHand).toMatchObject({ by: 'hand', archivedMessages: 1 });
    expect(readFileSync(memory, 'utf8')).toContain(summary);
    expect(readFileSync(memory, 'utf8')).toContain('東京 trip');

    const table = await run('archive', 'list');
    expect(table.stdout).toMatch(new RegExp(`MESSAGES +CHARACTERS +NAME\n.* 6 +\\d+ +${archive}\n`));
    expect((await run('archive', 'list', '--quiet')).stdout).toBe(`${archive}\n${byHand.archive}\n`);
    expect((await run('archive', 'get', archive)).stdout).toBe(original);
    const hits = await ask<{ archive: string }[]>('archive', 'search', '会議');
    // The summary, archived by the second compaction, quotes it.
    expect(hits).toMatchObject([
      { archive, message: { role: 'User' } },
      { archive: byHand.archive, message: { role: 'System' } },
    ]);
    expect((await run('archive', 'search', 'FRIDAY')).stdout).toContain('It is on Friday.');
    expect((await run('archive', 'diff', archive, archive)).stdout).toBe('No difference.\n');
    expect((await run('archive', 'diff', archive, byHand.archive)).stdout).toMatch(/^- .*会議はいつですか/m);
    expect((await run('archive', 'diff', archive)).stdout).toMatch(/^\+ .*東京 is next/m);
    expect((await run('archive', 'get', '../../keepsake.jsonc')).code).toBe(64);
    expect((await run('archive', 'get', 'history_2020-01-01_00-00-00.md')).code).toBe(66);

    const active = readFileSync(memory, 'utf8');
    const refused = await runOnTerminal(['archive', 'restore', archive], { cwd, answer: 'n\n' });
    expect(refused.code).toBe(130);
    expect(bare(refused.screen)).toContain(`Make ${archive} the active MEMORY.md of ${AGENT} again?`);
    expect(readFileSync(memory, 'utf8')).toBe(active);
    const restored = await ask<{ archive: string }>('archive', 'restore', archive);
    expect(readFileSync(memory, 'utf8')).toBe(original);
    expect((await run('archive', 'get', restored.archive)).stdout).toBe(active);
    // Whatever the file says, the log has every message and both summaries.
    expect(await messages()).toHaveLength(9);
  });
});

describe('sections', () => {
  it('saves, adds, shows, lists and removes', async () => {
    const file = join(cwd, 'agents', `${AGENT}.memory.md`);
    expect((await run('sections', 'list')).stdout).toBe('No sections.\n');
    expect(existsSync(file)).toBe(false);
    expect((await run('sections', 'save', 'glossary', 'Kürzel:', '用語', '🎉')).stdout).toBe(
      '✓ Created glossary 1 line\n',
    );
    const text = 'first\n\n  - indented\n# no heading\n';
    const saved = await json(['sections', 'save', 'notes', '-'], { cwd, stdin: text });
    expect(saved).toEqual({
      section: 'notes',
      outcome: 'created',
      lines: 4,
      hash: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect((await run('sections', 'get', 'glossary')).stdout).toBe('Kürzel: 用語 🎉\n');
    expect((await run('sections', 'get', 'notes')).stdout).toBe(text);
    // By the name that it has in the SDK and in REST, too.
    expect((await run('sections', 'retrieve', 'notes')).stdout).toBe(text);

    const short = await run('sections', 'append', 'notes', 'one more');
    expect(short).toMatchObject({ code: 0, stdout: '✓ Added to notes 5 lines\n', stderr: '' });
    const long = 'line\n'.repeat(60);
    const grown = await runCli(['sections', 'append', 'notes', '-'], { cwd, stdin: long });
    expect(grown.stdout).toBe('✓ Added to notes 65 lines\n');
    expect(grown.stderr).toMatch(/notes.* now has 65 lines, more than 50/);
    expect(await ask('sections', 'append', 'notes', 'x')).toMatchObject({
      lines: 66,
      hint: expect.stringContaining('more than 50'),
    });
    expect((await run('sections', 'list')).stdout).toBe('LINES  SECTION\n    1  glossary\n   66  notes\n');

    const missing = await run('sections', 'get', 'nothing');
    expect(missing.code).toBe(66);
    expect(missing.stderr).toContain('glossary');
    expect((await run('sections', 'save', 'a\nb', 'x')).code).toBe(64);
    expect((await run('sections', 'save', 'notes')).stderr).toContain('The content is missing.');
    expect((await run('sections', 'list', '--agent', 'other')).stdout).toBe('No sections.\n');

    const refused = await runOnTerminal(['sections', 'remove', 'notes'], { cwd, answer: 'n\n' });
    expect(bare(refused.screen)).toContain('Remove notes with 66 lines?');
    expect(refused.code).toBe(130);
    expect(await ask('sections', 'remove', 'notes')).toEqual({ section: 'notes', lines: 66 });
    expect((await run('sections', 'list', '--quiet')).stdout).toBe('glossary\n');
  });
});
