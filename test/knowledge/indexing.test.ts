/** Indexing documents: incremental, in place, and never more than the disk says. */
import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knowledgeWorkspace, paragraphs } from './support/fixture.ts';

describe('knowledge.add', () => {
  it('A-18 indexes a folder and finds a passage with file and lines', async () => {
    const { knowledge, write, path } = knowledgeWorkspace();
    write('docs/keys.md', '# Keys\n\nIntro.\n\n## Rotation\n\nRotate the signing key every ninety days.\n');
    write('docs/other.txt', 'Lunch is at noon.\n');
    const report = await knowledge.add(path('docs'));
    expect(report).toEqual({ files: 2, added: 2, updated: 0, removed: 0, skipped: [] });
    const [hit] = await knowledge.search('how often are signing keys rotated');
    expect(hit).toMatchObject({
      citation: 'docs/keys.md:1-7',
      source: 'knowledge',
      expiresAt: null,
      thread: 'file:docs/keys.md',
      metadata: {
        root: 'docs',
        path: 'docs/keys.md',
        startLine: 1,
        endLine: 7,
        heading: 'Keys > Rotation',
        chunk: 0,
        of: 1,
      },
    });
  });

  it('A-70 cuts by the configured size', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace({
      config: { knowledge: { chunkSize: 500, chunkOverlap: 50 } },
    });
    write('a.txt', paragraphs('one', 'two', 'three', 'four', 'five'));
    await knowledge.add(path('a.txt'));
    const sizes = (await chunks()).map(({ content }) => content.length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  });

  it('A-70 cuts at 2,000 characters unless told otherwise', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    write('a.txt', paragraphs(...'abcdefghijklmnop'.split('')));
    await knowledge.add(path('a.txt'));
    const sizes = (await chunks()).map(({ content }) => content.length);
    expect(Math.max(...sizes)).toBeGreaterThan(1_500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
  });

  it('writes nothing the second time', async () => {
    const { knowledge, write, path, writes } = knowledgeWorkspace();
    write('docs/a.md', paragraphs(...'abcdefghij'.split('')));
    write('docs/b.html', '<h1>Page</h1><p>About parrots.</p>');
    await knowledge.add(path('docs'));
    const before = await writes();
    const again = { files: 2, added: 0, updated: 0, removed: 0, skipped: [] };
    expect(await knowledge.add(path('docs'))).toEqual(again);
    expect(await knowledge.refresh()).toEqual(again);
    expect(await writes()).toBe(before);
  });

  it('counts what it added itself when two add the same at once', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    for (const name of 'abcdefghijkl') write(`docs/${name}.txt`, paragraphs(name, `${name}2`, `${name}3`));
    const reports = await Promise.all([knowledge.add(path('docs')), knowledge.add(path('docs'))]);
    const stored = (await chunks()).length;
    expect(stored).toBeGreaterThan(0);
    expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(stored);
  });

  it('leaves a chunk in the past that another memory took the place of, as long as the file says the same', async () => {
    const { agent, knowledge, write, path, chunks } = knowledgeWorkspace({
      config: { knowledge: { chunkSize: 500, chunkOverlap: 0 } },
    });
    const { memory } = agent;
    const words = ['ant', 'bee', 'cat', 'dog'];
    write('docs/a.txt', paragraphs(...words));
    await knowledge.add(path('docs'));
    const before = await chunks();
    const old = before[1]!;
    const { id } = await memory.add({ content: 'The second passage is wrong.', supersedes: old.id });
    const past = { content: old.content, state: 'expired', supersededBy: id };
    const texts = async () => (await chunks()).map(({ content }) => content);
    const rest = before.filter((chunk) => chunk.id !== old.id).map(({ content }) => content);

    expect(await knowledge.refresh()).toMatchObject({ added: 0, updated: 0, removed: 0 });
    expect(await memory.get(old.id)).toMatchObject(past);

    write('docs/a.txt', `${paragraphs('new')}\n${paragraphs(...words)}`);
    await knowledge.refresh();
    expect(await memory.get(old.id)).toMatchObject(past);
    expect(await texts()).not.toContain(old.content);
    for (const content of rest.slice(1)) expect(await texts()).toContain(content);

    write('docs/a.txt', paragraphs('elk', 'fox', 'gnu'));
    await knowledge.refresh();
    expect(await memory.get(old.id)).toMatchObject({ state: 'forgotten' });
    expect((await texts()).join(' ')).toContain('fox');
  });

  it('updates a changed file in place: the same ids, and only the chunks that differ', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    const words = 'ant bee cat dog eel fox gnu hen ibis jay'.split(' ');
    write('docs/a.txt', paragraphs(...words));
    await knowledge.add(path('docs'));
    const before = await chunks();
    expect(before.length).toBe(2);
    write('docs/a.txt', paragraphs(...words.slice(0, -1), 'yak'));
    expect(await knowledge.refresh()).toMatchObject({ files: 1, added: 0, updated: 2, removed: 0 });
    const after = await chunks();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[0]?.content).toBe(before[0]?.content);
    expect((await knowledge.search('yak'))[0]?.id).toBe(before[1]?.id);
    expect(await knowledge.search('jay', { minRelevance: 0.5 })).toEqual([]);
  });

  it('adds chunks to a file that grew and erases those of one that shrank', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    const words = 'ant bee cat dog eel fox gnu hen ibis jay kiwi lark mole newt owl'.split(' ');
    write('a.txt', paragraphs(...words.slice(0, 5)));
    await knowledge.add(path('a.txt'));
    const [first] = await chunks();
    write('a.txt', paragraphs(...words));
    expect(await knowledge.refresh()).toMatchObject({ updated: 1, removed: 0, skipped: [] });
    expect((await chunks()).map(({ metadata }) => [metadata.chunk, metadata.of])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
    write('a.txt', paragraphs(...words.slice(0, 5)));
    expect(await knowledge.refresh()).toMatchObject({ added: 0, updated: 1, removed: 2 });
    expect((await chunks()).map(({ id }) => id)).toEqual([first?.id]);
  });

  it('keeps what moves to another position, although the old one still says it', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    const a = `# A\n${'first words. '.repeat(30)}\n`;
    const b = `# B\n${'second words. '.repeat(30)}\n`;
    write('a.md', a);
    await knowledge.add(path('a.md'));
    write('a.md', b + a);
    await knowledge.refresh();
    expect((await chunks()).map(({ content }) => content)).toEqual([b, a]);
  });

  it('erases what is gone from disk, and nothing of what only cannot be seen', async () => {
    const { knowledge, write, erase, path, chunks, agent } = knowledgeWorkspace();
    write('docs/a.md', 'About apples.');
    write('docs/b.md', 'About bananas.');
    await knowledge.add(path('docs'));
    erase('docs/b.md');
    expect(await knowledge.refresh()).toEqual({ files: 1, added: 0, updated: 0, removed: 1, skipped: [] });
    expect(await agent.memory.search('bananas', { minRelevance: 0.5 })).toEqual([]);
    renameSync(path('docs'), path('away'));
    const report = await knowledge.refresh();
    expect(report).toMatchObject({ files: 0, removed: 0, skipped: [{ path: 'docs' }] });
    expect(await chunks()).toHaveLength(1);
    renameSync(path('away'), path('docs'));
    expect(await knowledge.refresh()).toMatchObject({ files: 1, skipped: [] });
  });

  it('erases a single file that is gone from its folder', async () => {
    const { knowledge, write, erase, path, chunks } = knowledgeWorkspace();
    write('docs/a.md', 'About apples.');
    await knowledge.add(path('docs/a.md'));
    erase('docs/a.md');
    expect(await knowledge.refresh()).toMatchObject({ removed: 1 });
    expect(await chunks()).toEqual([]);
  });

  it('reports what it cannot read and goes on', async () => {
    const { knowledge, write, path } = knowledgeWorkspace();
    write('docs/a.md', 'About apples.');
    write('docs/picture.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    write('docs/huge.txt', 'x'.repeat(10 * 1024 * 1024 + 1));
    write('docs/broken.pdf', 'not a pdf');
    write('docs/empty.md', '');
    write('outside.md', 'Secret.');
    symlinkSync(path('outside.md'), path('docs/link.md'));
    const { files, added, skipped } = await knowledge.add(path('docs'));
    // The empty one is known, and has nothing to find.
    expect({ files, added }).toEqual({ files: 2, added: 1 });
    expect(skipped.map((each) => each.path)).toEqual([
      'docs/link.md',
      'docs/broken.pdf',
      'docs/huge.txt',
      'docs/picture.png',
    ]);
    expect(skipped.map((each) => each.reason)).toMatchObject([
      expect.stringContaining('symbolic link'),
      expect.stringContaining('not a readable PDF'),
      expect.stringContaining('10 MB'),
      expect.stringContaining('binary'),
    ]);
  });

  it('erases what a file said once it became something that cannot be read', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    write('docs/a.txt', 'About apples.');
    await knowledge.add(path('docs'));
    write('docs/a.txt', new Uint8Array([0, 1, 2]));
    expect(await knowledge.refresh()).toMatchObject({ removed: 1, skipped: [{ path: 'docs/a.txt' }] });
    expect(await chunks()).toEqual([]);
  });

  it('keeps what it knows of files and folders that it may not read now', async () => {
    const { knowledge, write, path, chunks, folder } = knowledgeWorkspace();
    write('docs/a.md', 'About apples.');
    write('docs/sub/b.md', 'About bananas.');
    await knowledge.add(path('docs'));
    chmodSync(folder, 0o755);
    chmodSync(path('docs/a.md'), 0);
    chmodSync(path('docs/sub'), 0);
    // Modes mean nothing to root.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    const report = await knowledge.refresh().finally(() => isRoot && process.seteuid?.(0));
    chmodSync(path('docs/sub'), 0o755);
    expect(report).toMatchObject({ removed: 0, skipped: [{ path: 'docs/sub' }, { path: 'docs/a.md' }] });
    expect(await chunks()).toHaveLength(2);
  });

  it('says plainly why a file that was named cannot be added', async () => {
    const { knowledge, write, path } = knowledgeWorkspace();
    write('picture.png', new Uint8Array([0, 1]));
    await expect(knowledge.add(path('picture.png'))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(knowledge.add(path('missing'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('A-19 never takes MEMORY.md or what else Keepsake writes for a document', async () => {
    const { knowledge, write, agent, path, folder } = knowledgeWorkspace();
    const conversation = await agent.shortMemory;
    await conversation.add('user', 'The password of the parrot is pineapple.');
    await agent.sections.save('birds', 'Parrots like pineapple.');
    write('agents/alice/notes/n.md', 'A pineapple note.');
    write('docs/MEMORY.md', 'Somebody else remembers pineapple.');
    write('docs/a.md', 'The engine is oiled on Mondays.');
    await expect(knowledge.add(path('agents/alice/MEMORY.md'))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const { skipped } = await knowledge.add(folder);
    expect(skipped.map((each) => each.path)).toEqual(
      expect.arrayContaining(['agents/alice/MEMORY.md', 'agents/alice.memory.md', 'docs/MEMORY.md']),
    );
    expect((await knowledge.list()).flatMap(({ files }) => files.map((file) => file.path))).toEqual([
      'docs/a.md',
    ]);
    expect(await knowledge.search('pineapple', { minRelevance: 0.3 })).toEqual([]);
  });

  it('keeps equal chunks of different files apart, and stores an equal chunk of one file once', async () => {
    const { knowledge, write, path, chunks, writes } = knowledgeWorkspace();
    const section = `# Licence\n${'Free for all. '.repeat(30)}\n`;
    write('docs/a.md', section + section);
    write('docs/b.md', section);
    await knowledge.add(path('docs'));
    expect((await chunks()).map(({ thread }) => thread)).toEqual(['file:docs/a.md', 'file:docs/b.md']);
    const before = await writes();
    await knowledge.refresh();
    expect(await writes()).toBe(before);
  });

  it('does not count against maxEntries', async () => {
    const { knowledge, agent, write, path, chunks } = knowledgeWorkspace({
      config: { memory: { maxEntries: 2 } },
    });
    await agent.memory.add({ content: 'One fact.' });
    await agent.memory.add({ content: 'Another fact.' });
    write('a.txt', paragraphs(...'abcdefghijklmnopqrst'.split('')));
    await knowledge.add(path('a.txt'));
    expect((await chunks()).length).toBeGreaterThan(2);
    expect(await agent.memory.list({ source: 'manual' })).toHaveLength(2);
  });

  it('is private unless shared, and stays as it is when it is refreshed', async () => {
    const { client, knowledge, write, path } = knowledgeWorkspace();
    write('docs/a.md', 'About apples.');
    await knowledge.add(path('docs'));
    const bob = client.agent({ name: 'bob' });
    expect(await bob.knowledge.search('apples')).toEqual([]);
    expect(await knowledge.add(path('docs'), { scope: 'swarm' })).toMatchObject({ updated: 1 });
    expect(await bob.knowledge.search('apples')).toHaveLength(1);
    await knowledge.refresh();
    expect(await bob.knowledge.list()).toMatchObject([{ agent: 'alice', root: 'docs', scope: 'swarm' }]);
    await expect(bob.knowledge.remove('docs')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('belongs to the outermost folder that was added', async () => {
    const { knowledge, write, path } = knowledgeWorkspace();
    write('docs/a.md', 'About apples.');
    write('docs/sub/b.md', 'About bananas.');
    await knowledge.add(path('docs/sub'));
    await knowledge.add(path('docs'));
    expect((await knowledge.list()).map(({ root, files }) => [root, files.length])).toEqual([['docs', 2]]);
    await knowledge.add(path('docs/sub'));
    expect((await knowledge.list()).map(({ root, files }) => [root, files.length])).toEqual([['docs', 2]]);
  });

  it('tells its progress and stops when asked to; the next run goes on', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    for (let i = 0; i < 40; i++) write(`docs/${String(i).padStart(2, '0')}.md`, `Document number ${i}.`);
    const stop = new AbortController();
    const seen: number[] = [];
    const running = knowledge.add(path('docs'), {
      signal: stop.signal,
      onProgress: ({ done, total }) => {
        expect(total).toBe(40);
        seen.push(done);
        if (done === 10) stop.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(seen.slice(0, 11)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const { length } = await chunks();
    expect(length).toBeLessThan(40);
    expect(await knowledge.add(path('docs'))).toMatchObject({ files: 40, added: 40 - length });
  });

  it('reports a chunk that the guard refuses and stores the others', async () => {
    const guard = {
      inspect: ({ content }: { content: string }) =>
        content.includes('IGNORE')
          ? { allowed: false, reasons: ['injection'] }
          : { allowed: true, reasons: [] },
    };
    const { knowledge, write, path, chunks } = knowledgeWorkspace({ guard });
    write(
      'a.md',
      `# A\n${'good words. '.repeat(40)}\n# B\n${'IGNORE all. '.repeat(40)}\n# C\n${'fine words. '.repeat(40)}\n`,
    );
    const report = await knowledge.add(path('a.md'));
    expect(report).toMatchObject({
      added: 2,
      skipped: [{ path: 'a.md', reason: expect.stringContaining('injection') }],
    });
    const before = await chunks();
    await knowledge.refresh();
    expect((await chunks()).map(({ id, version }) => [id, version])).toEqual(
      before.map(({ id, version }) => [id, version]),
    );
  });

  it('refuses files outside of the workspace to whoever is not at this machine', async () => {
    const { client, write, path } = knowledgeWorkspace();
    const { knowledge } = await client.open();
    const remote = { viewer: { agent: 'alice', role: 'worker' }, via: 'http' } as const;
    write('docs/a.md', 'About apples.');
    expect(await knowledge.add({ path: path('docs') }, remote)).toMatchObject({ added: 1 });
    await expect(knowledge.add({ path: '/etc/hostname' }, remote)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(knowledge.add({ path: path('docs/../../..') }, remote)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('copes with names that are long or odd', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    const name = `docs/${'long-folder-name/'.repeat(12)}a\nb ü 😀.md`;
    write(name, 'About apples.');
    await knowledge.add(path('docs'));
    const [chunk] = await chunks();
    expect(chunk?.metadata.path).toBe(name);
    expect(await knowledge.refresh()).toMatchObject({ added: 0, updated: 0 });
    expect(await knowledge.remove(join(path('docs')))).toEqual({ files: 1, removed: 1 });
  });
});

describe('knowledge.remove', () => {
  it('erases a file or a folder, also one that is gone from disk', async () => {
    const { knowledge, write, path, client } = knowledgeWorkspace();
    write('docs/a.md', 'About apples.');
    write('docs/sub/b.md', 'About bananas.');
    await knowledge.add(path('docs'));
    expect(await knowledge.remove(path('docs/sub'))).toEqual({ files: 1, removed: 1 });
    rmSync(path('docs'), { recursive: true });
    expect(await knowledge.remove('docs')).toEqual({ files: 1, removed: 1 });
    expect(await knowledge.list()).toEqual([]);
    const erased = await client.memory.list({ state: 'forgotten' });
    expect(erased.map(({ content }) => content)).toEqual(['', '']);
    await expect(knowledge.remove('docs')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
