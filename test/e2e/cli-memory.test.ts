/** `keepsake memory` as a user meets it: the documented commands, the natural ones, JSON, pipes and scripts. */
import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AddedMemory, MemoryHit, MemoryRecord } from '../../src/index.ts';
import { json, runCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryWorkspace();
});

const run = (...args: string[]) => runCli(args, { cwd });
const ask = <T>(...args: string[]) => json<T>(args, { cwd });
const add = (...args: string[]) => ask<AddedMemory>('memory', 'add', ...args);

describe('the documented commands', () => {
  it('B-27 add, B-26 list, B-28 search and B-29 forget', async () => {
    const content = 'Prefers Python for scripts.';
    const added = await run(
      'memory',
      'add',
      '--agent',
      'my-agent',
      '--category',
      'preference',
      '--content',
      content,
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^✓ Remembered: mem_\w{26} preference · my-agent\n$/);
    const [id] = /mem_\w+/.exec(added.stdout)!;

    const listed = await run('memory', 'list', '--agent', 'my-agent');
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).toContain(content);

    const found = await run('memory', 'search', '--agent', 'my-agent', '--query', 'python');
    expect(found.stdout).toMatch(/RELEVANCE +SCORE/);
    expect(found.stdout).toContain(id);

    const forgotten = await run('memory', 'forget', id);
    expect(forgotten).toMatchObject({ code: 0, stderr: '' });
    expect(forgotten.stdout).toBe(`✓ Forgot ${id}: erased 27 characters, 1 version, 1 index entry.\n`);
    expect(await ask('memory', 'search', 'python')).toEqual([]);
  });

  it('B-26 list shows an agent its own memories and what is shared, B-27 stored for others', async () => {
    await add('--agent', 'my-agent', 'mine');
    await add('--agent', 'other', 'private of other');
    await add('--agent', 'other', '--scope', 'swarm', 'shared by other');
    const contents = (await ask<MemoryRecord[]>('memory', 'list', '--agent', 'my-agent')).map(
      (each) => each.content,
    );
    expect(contents).toEqual(['shared by other', 'mine']);
    expect(await ask<MemoryRecord[]>('memory', 'list')).toHaveLength(3);
  });
});

describe('add', () => {
  it('stores for the default agent of the workspace', async () => {
    expect(await add('Prefers short answers.')).toMatchObject({
      agent: 'default-agent',
      content: 'Prefers short answers.',
      category: 'fact',
      outcome: 'added',
    });
  });

  it('joins words, and takes a text that begins with a dash after --', async () => {
    expect(await add('Prefers', 'short', 'answers.')).toMatchObject({ content: 'Prefers short answers.' });
    const { stdout } = await run('memory', 'add', '--quiet', '--', '- buy milk');
    expect(await ask('memory', 'get', stdout.trim())).toMatchObject({ content: '- buy milk' });
  });

  it('takes every field of the operation', async () => {
    const added = await add(
      ...['--content', 'x', '--confidence', '0.5', '--scope', 'swarm', '--source', 'task_completion'],
      ...[
        '--tags',
        'a',
        '--tags',
        'b c',
        '--metadata',
        '{"n":[1,{"é":null}]}',
        '--origin',
        'agent',
        '--pinned',
      ],
      ...['--expires-at', '2099-01-01T00:00:00Z', '--idempotency-key', 'k'],
    );
    expect(added).toMatchObject({
      confidence: 0.5,
      scope: 'swarm',
      source: 'task_completion',
      tags: ['a', 'b c'],
      metadata: { n: [1, { é: null }] },
      origin: 'agent',
      pinned: true,
      expiresAt: Date.UTC(2099, 0, 1),
    });
    expect(
      await add(
        '--content',
        'x',
        '--idempotency-key',
        'k',
        '--scope',
        'swarm',
        '--source',
        'task_completion',
      ),
    ).toMatchObject({
      id: added.id,
      outcome: 'duplicate',
    });
  });

  it('never expires when told so', async () => {
    expect(await add('x', '--source', 'session_summary', '--expires-at', 'never')).toMatchObject({
      expiresAt: null,
    });
  });

  it.each([
    ['a pipe', '从管道来的文字 🎉 — naïve\nsecond line\n', '从管道来的文字 🎉 — naïve\nsecond line'],
    ['Windows', '\ufeffwith a mark\r\n', 'with a mark'],
    ['an editor that adds nothing', 'no line break', 'no line break'],
    ['someone who likes space', 'two\n\n', 'two\n'],
  ])('reads stdin from %s', async (_, stdin, content) => {
    const { stdout } = await runCli(['memory', 'add', '--json', '-'], { cwd, stdin });
    expect(JSON.parse(stdout)).toMatchObject({ content });
    const byFlag = await runCli(['memory', 'add', '--json', '--content', '-'], { cwd, stdin });
    expect(JSON.parse(byFlag.stdout)).toMatchObject({ content, outcome: 'duplicate' });
  });

  it('keeps UTF-8 whole over the borders of chunks', async () => {
    const content = '简短的回答🎉'.repeat(20_000);
    const { stdout } = await runCli(['memory', 'add', '--quiet', '-'], { cwd, stdin: content });
    expect((await ask<MemoryRecord>('memory', 'get', stdout.trim())).content).toBe(content);
  });

  it('says what left search when the cap is reached', async () => {
    const env = { KEEPSAKE_NAME: 'small' };
    await runCli(['memory', 'add', 'first'], { cwd, env });
    writeFileSync(`${cwd}/keepsake.jsonc`, '{ "memory": { "maxEntries": 1 } }');
    const second = await runCli(['memory', 'add', 'second'], { cwd, env });
    expect(second).toMatchObject({ code: 0 });
    expect(second.stderr).toMatch(/memory\.maxEntries.*1 memory left search.*mem_/s);
  });
});

describe('search', () => {
  it('finds Chinese and emoji', async () => {
    const { id } = await add('--agent', '测试', '--category', '偏好', '用户喜欢简短的回答 🎉');
    expect((await ask<MemoryHit[]>('memory', 'search', '简短')).map((hit) => hit.id)).toEqual([id]);
    const { stdout } = await run('memory', 'search', '简短');
    expect(stdout).toContain('用户喜欢简短的回答 🎉');
    expect(stdout).toContain('偏好');
  });

  it('says why with --explain', async () => {
    await add('Prefers Python.');
    const { stdout } = await run('memory', 'search', 'python', '--explain');
    expect(stdout).toMatch(
      /holds "python" \(1\.00 of the question\); close in meaning \(\d\.\d\d, cosine \d\.\d\d\)/,
    );
    expect(stdout).toContain('relevance 1.00.\n');
  });

  it('carries relevance, score and factors as JSON', async () => {
    await add('Prefers Python.');
    const [hit] = await ask<MemoryHit[]>('memory', 'search', 'python');
    expect(hit).toMatchObject({
      factors: { relevance: hit!.relevance, recencyDecay: expect.any(Number), accessBoost: 1 },
    });
  });

  it('filters, and says when nothing is found', async () => {
    await add('Prefers Python.', '--category', 'preference', '--tags', 'language');
    expect(await ask('memory', 'search', 'python', '--category', 'fact')).toEqual([]);
    expect(await ask('memory', 'search', 'python', '--tags', 'language')).toHaveLength(1);
    expect(await run('memory', 'search', 'cobol')).toMatchObject({
      code: 0,
      stdout: 'Nothing found in this workspace.\n',
    });
  });

  it('survives what people type', async () => {
    await add("don't use multi-agent AND OR NOT queries");
    for (const query of ["don't multi-agent", 'AND " *', 'NEAR(x)']) {
      expect(await run('memory', 'search', '--query', query)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await run('memory', 'search', '--query', '')).toMatchObject({
      ...{ code: 64, stdout: '', stderr: expect.stringContaining('Say what to look for') },
    });
  });
});

describe('list', () => {
  it('pages', async () => {
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) ids.unshift((await add(text)).id);
    const first = await run('memory', 'list', '--limit', '2', '--quiet');
    expect(first.stdout.trim().split('\n')).toEqual(ids.slice(0, 2));
    const page = await run('memory', 'list', '--limit', '2');
    expect(page.stderr).toContain(`--after ${ids[1]}`);
    const rest = await run('memory', 'list', '--limit', '2', '--after', ids[1]!, '--quiet');
    expect(rest.stdout.trim()).toBe(ids[2]);
  });

  it('understands times of the clock on the wall', async () => {
    await add('now');
    expect(await ask('memory', 'list', '--since', '2020-01-01')).toHaveLength(1);
    expect(await ask('memory', 'list', '--before', '2020-01-01')).toHaveLength(0);
  });

  it('asks about an agent that nobody knows', async () => {
    await add('x', '--agent', 'my-agent');
    const { code, stdout, stderr } = await run('memory', 'list', '--agent', 'my-agnet');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No memories for agent my-agnet.\n' });
    expect(stderr).toContain('my-agent');
  });
});

describe('get, update, history and undo', () => {
  it('shows one memory in full, and the bare text with --quiet', async () => {
    const { id } = await add('first line\nsecond line', '--tags', 'style');
    const { stdout } = await run('memory', 'get', id);
    expect(stdout).toMatch(/^first line\nsecond line\n\n {2}id +mem_/);
    expect(stdout).toMatch(/tags +style/);
    expect((await run('memory', 'get', id, '--quiet')).stdout).toBe('first line\nsecond line\n');
    expect(await ask('memory', 'get', id)).toMatchObject({ accessCount: 3 });
  });

  it('changes fields, keeps the versions and takes changes back', async () => {
    const { id } = await add('old text');
    expect(
      await ask('memory', 'update', id, 'new text', '--category', 'preference', '--pinned'),
    ).toMatchObject({
      outcome: 'updated',
      version: 2,
      content: 'new text',
      pinned: true,
    });
    expect(await ask('memory', 'update', id, '--no-pinned')).toMatchObject({ version: 3, pinned: false });
    expect(await ask('memory', 'undo', id, '--version', '1')).toMatchObject({
      version: 4,
      content: 'old text',
    });
    const history = await run('memory', 'history', id);
    expect(history.stdout.split('\n').filter((line) => /added|updated|undone/.test(line))).toHaveLength(4);
  });

  it('does what it is told only while the version is the same', async () => {
    const { id } = await add('text');
    expect(await run('memory', 'update', id, 'other', '--if-version', '7')).toMatchObject({ code: 65 });
  });
});

describe('a secret', () => {
  it('is replaced, and the command says so', async () => {
    // Put together here, so that no scanner takes it for a key that somebody lost.
    const key = ['sk', 'proj', 'q7Rk2mZx9Lw4Tn8Vb3Yc6Hd1'].join('-');
    const added = await run('memory', 'add', `The key is ${key}, not [redacted: openai-key].`);
    expect(added.stdout).toContain('✓ Remembered');
    expect(added.stderr).toBe('1 secret was replaced and not stored.\n');
    const [id] = /mem_\w+/.exec(added.stdout)!;
    const changed = await run('memory', 'update', id, `Keys: ${key} ${key.replace('q7', 'w8')}`);
    expect(changed.stderr).toBe('2 secrets were replaced and not stored.\n');
  });
});

describe('forget', () => {
  it('is done once, and says so the second time', async () => {
    const { id } = await add('secret');
    expect(await ask('memory', 'forget', id)).toEqual({
      id,
      characters: 6,
      versions: 1,
      indexEntries: 1,
      journalErased: true,
      pagesErased: true,
      copiesRedacted: 0,
      remains: [],
    });
    expect((await run('memory', 'forget', id)).stdout).toContain('forgotten before');
    expect((await run('memory', 'forget', id, '--quiet')).stdout).toBe('');
  });
});

describe('agents', () => {
  it('lists who remembers something', async () => {
    expect((await run('agents')).stdout).toBe('No agent has stored anything yet.\n');
    await add('x', '--agent', 'zoe');
    await add('y', '--agent', 'adam');
    expect(await ask('agents')).toMatchObject([
      { name: 'adam', facts: 1 },
      { name: 'zoe', facts: 1 },
    ]);
    expect((await run('agents', '--quiet')).stdout).toBe('adam\nzoe\n');
  });
});
