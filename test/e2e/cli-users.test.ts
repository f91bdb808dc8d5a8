/** Users on the command line: --user and --thread, and erasing with a receipt that can be checked later. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationMessage, MemoryRecord } from '../../src/index.ts';
import {
  everything,
  json,
  runCli,
  runOnTerminal,
  temporaryWorkspace,
} from '../surfaces/cli/support/run-cli.ts';

const DANA = 'auth0|dana/日本 é';
const SECRET = 'quokkasecret';

let cwd: string;

beforeEach(() => {
  cwd = temporaryWorkspace();
});

const run = (...args: string[]) => runCli(args, { cwd });
const ask = <T>(...args: string[]) => json<T>(args, { cwd });
const as = (user: string, agent = 'support') => ['--agent', agent, '--user', user];
const contents = async (...args: string[]) =>
  (await ask<{ content: string }[]>(...args)).map(({ content }) => content);

describe('--user and --thread', () => {
  it('keep the memories of users apart in every memory command', async () => {
    const added = await ask<MemoryRecord>('memory', 'add', ...as(DANA), `Likes ${SECRET}`);
    expect(added).toMatchObject({ agent: 'support', user: DANA });
    await ask('memory', 'add', ...as('erik'), 'Likes wombats');
    await ask('memory', 'add', '--agent', 'support', 'Refunds take ten days');
    await ask('memory', 'add', '--user', DANA, 'Lives in Lisbon');

    expect((await contents('memory', 'list', ...as(DANA))).toSorted()).toEqual([
      `Likes ${SECRET}`,
      'Lives in Lisbon',
      'Refunds take ten days',
    ]);
    expect((await contents('memory', 'list', '--user', DANA)).toSorted()).toEqual([
      `Likes ${SECRET}`,
      'Lives in Lisbon',
    ]);
    expect(await contents('memory', 'list', '--agent', 'support')).toEqual(['Refunds take ten days']);
    expect(await contents('memory', 'search', ...as(DANA), SECRET)).toEqual([`Likes ${SECRET}`]);
    expect(await contents('memory', 'search', ...as('erik'), SECRET)).toEqual([]);
    expect((await run('memory', 'get', ...as('erik'), added.id)).code).toBe(66);
    expect((await run('memory', 'forget', ...as('erik'), added.id)).code).toBe(66);
    expect((await run('memory', 'get', ...as(DANA), added.id)).stdout).toContain(SECRET);
    const refused = await run('memory', 'list', '--user', 'x'.repeat(257));
    expect(refused).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('longer than 256 characters'),
    });
  });

  it('keep threads apart in every log command', async () => {
    const thread = (id: string) => [...as(DANA), '--thread', id];
    await ask('log', 'add', ...thread('chat/1'), `Hello ${SECRET}`);
    await ask('log', 'add', ...thread('chat/2'), 'Hello wombat');
    await ask('log', 'add', ...as(DANA), 'Hello without a thread');
    const said = (...args: string[]) => contents('log', 'get', ...args);
    expect(await said(...thread('chat/1'))).toEqual([`Hello ${SECRET}`]);
    expect(await said(...thread('chat/2'))).toEqual(['Hello wombat']);
    expect(await said(...as(DANA))).toEqual(['Hello without a thread']);
    expect(await said(...as('erik'), '--thread', 'chat/1')).toEqual([]);
    expect(await said('--agent', 'support')).toEqual([]);
    expect(await contents('log', 'search', ...thread('chat/1'), 'hello')).toEqual([`Hello ${SECRET}`]);

    await ask('log', 'export', ...thread('chat/1'), 'chat.json');
    const into = ['log', 'import', 'chat.json', ...thread('copy')];
    expect(await ask(...into)).toMatchObject({ messages: 1, known: 0 });
    expect(await ask(...into)).toMatchObject({ messages: 0, known: 1 });
    expect(await said(...thread('copy'))).toEqual([`Hello ${SECRET}`]);

    await ask('log', 'archive', ...thread('chat/2'));
    const listed = await ask<{ thread: string | null; archivedAt: number | null }[]>(
      'log',
      'list',
      ...as(DANA),
    );
    expect(listed.map((each) => [each.thread, each.archivedAt !== null])).toEqual(
      expect.arrayContaining([
        [null, false],
        ['chat/1', false],
        ['chat/2', true],
        ['copy', false],
      ]),
    );
    expect(await ask<ConversationMessage[]>('log', 'list', ...as('erik'))).toEqual([]);
  });
});

describe('keepsake erase', () => {
  it('counts, asks, erases, and its receipt is verified', async () => {
    await ask('memory', 'add', ...as(DANA), `Likes ${SECRET}`);
    await ask('log', 'add', ...as(DANA), '--thread', SECRET, `Hello ${SECRET}`);
    await ask('memory', 'add', ...as('erik'), 'Likes wombats');
    const erase = ['erase', '--user', DANA];

    const counted = await run(...erase, '--dry-run');
    expect(counted).toMatchObject({ code: 0, stderr: '' });
    expect(counted.stdout).toMatch(/^Would erase 1 memory, 1 message, /);
    expect(await ask(...erase, '--dry-run')).toMatchObject([{ found: { records: 1 }, receipt: null }]);
    const refused = await runOnTerminal(erase, { cwd, answer: 'n\n' });
    expect(refused).toMatchObject({ code: 130, screen: expect.stringContaining('cannot be undone') });
    expect(await contents('memory', 'list', '--user', DANA)).toEqual([`Likes ${SECRET}`]);

    const erased = await run(...erase, '--yes', '--json');
    expect(erased).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(join(cwd, 'receipt.json'), erased.stdout);
    expect(erased.stdout).not.toContain(DANA);
    expect(await contents('memory', 'list')).toEqual(['Likes wombats']);
    expect(JSON.stringify(everything(cwd))).not.toContain(SECRET);
    expect((await run(...erase, '--dry-run')).stdout).toMatch(/^Would erase nothing/);

    const compacted = await run('erase', '--compact');
    expect(compacted).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Rewrote') });

    const verify = ['erase', 'verify', 'receipt.json'];
    const good = await run(...verify, '--user', DANA);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toMatch(/^The receipt is genuine\.\nStill stored: nothing\./);
    const unnamed = await run(...verify);
    expect(unnamed).toMatchObject({ code: 0, stdout: expect.stringContaining('--user') });
    expect((await run(...verify, '--user', 'erik')).code).toBe(1);
    expect((await run(...verify, '--user', 'nobody')).stdout).toContain('another');

    const receipt = readFileSync(join(cwd, 'receipt.json'), 'utf8');
    writeFileSync(join(cwd, 'forged.json'), receipt.replace(/"erased": ?1/, '"erased":2'));
    const forged = await run('erase', 'verify', 'forged.json', '--user', DANA);
    expect(forged).toMatchObject({ code: 1, stdout: expect.stringContaining('was changed') });
    writeFileSync(join(cwd, 'nothing.json'), '{}');
    expect((await run('erase', 'verify', 'nothing.json')).code).toBe(64);
    expect((await run('erase', 'verify', 'missing.json')).code).toBe(66);

    await ask('memory', 'add', ...as(DANA), 'Came back');
    expect((await run(...verify, '--user', DANA)).code).toBe(1);
    const both = await run('erase', '--user', DANA, '--agent', 'support', '--yes');
    expect(both).toMatchObject({ code: 64, stderr: expect.stringContaining('one subject') });
    expect((await run('erase', '--yes')).code).toBe(64);
  });

  it('erases a tenant by its prefix, and an agent with its files', async () => {
    for (const user of ['org/42/a', 'org/42/b', 'org/420/c'])
      await ask('memory', 'add', ...as(user), `${user} likes tea`);
    await ask('log', 'add', '--agent', 'sales', `Hello ${SECRET}`);
    expect(await ask<object[]>('erase', '--user-prefix', 'org/42/', '--yes')).toHaveLength(2);
    expect(await contents('memory', 'list')).toEqual(['org/420/c likes tea']);
    expect((await run('erase', '--agent', 'sales', '--yes')).stdout).toMatch(/✓ Erased .*[1-9] files?/);
    expect(JSON.stringify(everything(cwd))).not.toContain(SECRET);
    expect(await run('erase', '--user-prefix', 'org/7/', '--yes')).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('Nothing') },
    });
  });
});

describe('keepsake import of chats', () => {
  it('says what it did and how to find it, and the command that it names does', async () => {
    const chat = (i: number) => ({
      ...{ uuid: `c-${i}`, name: `Chat ${i}`, created_at: '2024-01-01T00:00:00Z' },
      chat_messages: [
        { uuid: 'm-1', text: `The plumber is called quokka${i}.`, sender: 'human' },
        { uuid: 'm-2', text: '', sender: 'assistant' },
      ],
    });
    writeFileSync(join(cwd, 'conversations.json'), JSON.stringify([chat(1), chat(2)]));
    const { stdout } = await run('import', 'conversations.json', '--agent', 'sam');
    expect(stdout).toContain('chats     2 added, each as an archived thread\n');
    expect(stdout).toMatch(/skipped +2 without text/);
    expect(stdout).toContain('keepsake log search "your words" --agent sam --all-threads\n');
    const found = await run('log', 'search', 'quokka2', '--agent', 'sam', '--all-threads');
    expect(found.stdout).toContain('The plumber is called quokka2.');
    expect(found.stdout).toContain('claude/c-2');
    const again = await run('import', 'conversations.json', '--agent', 'sam');
    expect(again.stdout).toContain('chats     2 known already\n');
    expect(again.stdout).not.toContain('added');
    expect(await contents('log', 'get', '--agent', 'sam')).toEqual([]);
  });
});

it('erases nothing when nobody can agree, and takes no flag for an id', async () => {
  const workspace = temporaryWorkspace();
  const keepsake = (...args: string[]) => runCli(args, { cwd: workspace, stdin: 'n\n' });
  await keepsake('memory', 'add', '--agent', 'support', '--user', 'dana', 'Dana likes figs.');
  const refused = await keepsake('erase', '--user', 'dana');
  expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('stdin is not a terminal')]);
  expect((await keepsake('erase', '--user', '--yes')).code).toBe(64);
  expect((await keepsake('memory', 'list', '--user', 'dana', '--agent', 'support')).stdout).toContain('figs');
});

it('keeps every receipt, and checks all that a file holds', async () => {
  const workspace = temporaryWorkspace();
  const keepsake = (...args: string[]) => runCli(args, { cwd: workspace });
  for (const user of ['org/1/a', 'org/1/b'])
    await keepsake('memory', 'add', '--agent', 'support', '--user', user, `A fact of ${user}.`);
  const { stdout } = await keepsake('erase', '--user-prefix', 'org/1/', '--yes', '--json');
  const erased = JSON.parse(stdout) as { receipt: { id: string; layers: { records: { erased: number } } } }[];
  const stored = readdirSync(join(workspace, 'data/erasures'));
  expect(stored.sort()).toEqual(erased.map(({ receipt }) => `${receipt.id}.json`).sort());
  const file = join(workspace, 'receipts.json');
  writeFileSync(file, stdout);
  expect((await keepsake('erase', 'verify', file)).code).toBe(0);
  erased[1]!.receipt.layers.records.erased = 99;
  writeFileSync(file, JSON.stringify(erased));
  const forged = await keepsake('erase', 'verify', file);
  expect([forged.code, forged.stdout]).toEqual([1, expect.stringContaining('was changed')]);
});
