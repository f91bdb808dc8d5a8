/** Notes in files: found after they are indexed, alive as long as they are looked at, gone with their file. */
import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { callVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';
import { knowledgeWorkspace } from './support/fixture.ts';

const OWNER = { viewer: { role: 'admin' }, via: 'sdk' } as const;
const alice = { viewer: { agent: 'alice', role: 'worker' }, via: 'sdk' } as const;

function notesWorkspace() {
  const workspace = knowledgeWorkspace();
  const index = async (caller: Parameters<typeof verbs.notesIndex.run>[2] = OWNER) =>
    callVerb(verbs.notesIndex, await workspace.client.open(), {}, caller);
  return { ...workspace, index };
}

describe('notes.index', () => {
  it('E-32 makes a file that was written into notes searchable in the memory of its agent', async () => {
    const { write, index, agent, client } = notesWorkspace();
    write(
      'agents/alice/notes/deep/auth-header-fix.md',
      '# Auth header\n\nThe proxy strips the bearer token.\n',
    );
    expect(await index()).toEqual({ files: 1, added: 1, updated: 0, removed: 0, skipped: [] });
    const [hit] = await agent.memory.search('bearer token proxy');
    expect(hit).toMatchObject({
      source: 'file_index',
      category: 'note',
      scope: 'agent',
      // Its own words, which need no remark that they come from elsewhere.
      origin: 'agent',
      metadata: {
        path: 'agents/alice/notes/deep/auth-header-fix.md',
        startLine: 1,
        endLine: 3,
        heading: 'Auth header',
      },
    });
    expect(await client.agent({ name: 'bob' }).memory.search('bearer token proxy')).toEqual([]);
    expect(await agent.knowledge.search('bearer token proxy')).toEqual([]);
  });

  it('E-08 a note that was promoted stays shared: looked at again, changed, and grown', async () => {
    const { write, index, agent, client } = notesWorkspace();
    const bob = client.agent({ name: 'bob' }).memory;
    const file = 'agents/alice/notes/a.md';
    write(file, 'The proxy strips the bearer token.');
    await index(alice);
    const [note] = await agent.memory.list({ source: 'file_index' });
    await agent.memory.promote(note!.id);
    const seen = async () => (await bob.search('bearer token proxy')).map(({ content }) => content);
    expect(await index(alice)).toMatchObject({ added: 0, updated: 0, removed: 0 });
    expect(await seen()).toEqual(['The proxy strips the bearer token.']);
    write(file, 'The proxy keeps the bearer token now.');
    expect(await index(alice)).toMatchObject({ updated: 1 });
    expect(await seen()).toEqual(['The proxy keeps the bearer token now.']);
    write(
      file,
      `# Proxy\n\n${'The proxy keeps the bearer token now. '.repeat(80)}\n\n# Cache\n\nThe cache is called otter.`,
    );
    await index(alice);
    expect((await bob.search('name of the cache'))[0]?.content).toContain('otter');
    // What is new is private, as before.
    write('agents/alice/notes/b.md', 'The heron lives at the pond.');
    await index(alice);
    expect(await bob.search('heron pond')).toEqual([]);
  });

  it('E-15 lets notes live for 30 days, renewed by looking at them, at most twice in their life', async () => {
    const { write, index, agent, clock, writes } = notesWorkspace();
    write('agents/alice/notes/a.md', 'The proxy strips the bearer token.');
    await index();
    const start = clock.now();
    const expiry = async () =>
      (await agent.memory.list({ source: 'file_index', state: 'any' }))[0]?.expiresAt;
    expect(await expiry()).toBe(start + 30 * DAY);
    clock.advance(10 * DAY);
    const before = await writes();
    await index();
    expect(await writes()).toBe(before);
    clock.advance(6 * DAY);
    expect(await index()).toMatchObject({ added: 0, updated: 1 });
    expect(await expiry()).toBe(start + 46 * DAY);
    clock.advance(30 * DAY);
    expect(await agent.memory.search('bearer token')).toEqual([]);
    expect(await index()).toMatchObject({ added: 0, updated: 1 });
    expect(await agent.memory.search('bearer token')).toHaveLength(1);
  });

  it('E-15 gives a note that changed its whole life again', async () => {
    const { write, index, agent, clock } = notesWorkspace();
    write('agents/alice/notes/a.md', 'The proxy strips the bearer token.');
    await index();
    clock.advance(5 * DAY);
    write('agents/alice/notes/a.md', 'The proxy keeps the bearer token.');
    await index();
    const [note] = await agent.memory.list({ source: 'file_index' });
    expect(note).toMatchObject({
      content: 'The proxy keeps the bearer token.',
      expiresAt: clock.now() + 30 * DAY,
      version: 2,
    });
  });

  it('indexes one agent or all, and Markdown only', async () => {
    const { write, index, client } = notesWorkspace();
    write('agents/alice/notes/a.md', 'Alice notes apples.');
    write('agents/bob/notes/b.md', 'Bob notes bananas.');
    write('agents/bob/notes/data.csv', 'not,a,note');
    write('agents/bob/elsewhere.md', 'Not a note.');
    expect(await index(alice)).toMatchObject({ files: 1, added: 1 });
    expect(await index()).toMatchObject({ files: 2, added: 1 });
    expect((await client.memory.list()).map(({ agent }) => agent).sort()).toEqual(['alice', 'bob']);
    await expect(index({ viewer: { role: 'worker' }, via: 'mcp' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(index({ viewer: { agent: 'alice', role: 'reader' }, via: 'mcp' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('erases notes that are gone, and leaves alone what others indexed', async () => {
    const { write, erase, index, agent } = notesWorkspace();
    await agent.memory.add({
      content: 'Indexed by a tool.',
      source: 'file_index',
      metadata: { path: '/tmp/x' },
    });
    write('agents/alice/notes/a.md', 'Alice notes apples.');
    await index();
    erase('agents/alice/notes');
    expect(await index()).toMatchObject({ files: 0, removed: 1 });
    expect((await agent.memory.list()).map(({ content }) => content)).toEqual(['Indexed by a tool.']);
  });

  it('follows no link out of the workspace', async () => {
    const { write, index, path } = notesWorkspace();
    write('secret/s.md', 'A secret.');
    write('agents/alice/notes/a.md', 'Alice notes apples.');
    symlinkSync(path('secret/s.md'), path('agents/alice/notes/s.md'));
    write('agents/bob/x.md', '');
    symlinkSync(path('secret'), path('agents/bob/notes'));
    const { added, skipped } = await index();
    expect(added).toBe(1);
    expect(skipped.map((each) => each.path)).toEqual(['agents/alice/notes/s.md', 'agents/bob/notes']);
  });

  it('E-32 takes single files from whoever watches the folder', async () => {
    const { client, write, erase, agent } = notesWorkspace();
    const { notes } = await client.open();
    const file = write('agents/alice/notes/a.md', 'The proxy strips the bearer token.');
    expect(await notes.indexFile('alice', file, OWNER)).toMatchObject({ added: 1 });
    write('agents/alice/notes/a.md', 'The proxy keeps the bearer token.');
    expect(await notes.indexFile('alice', file, OWNER)).toMatchObject({ updated: 1 });
    expect((await agent.memory.search('bearer token'))[0]?.content).toBe('The proxy keeps the bearer token.');
    erase('agents/alice/notes/a.md');
    expect(await notes.indexFile('alice', file, OWNER)).toMatchObject({ removed: 1 });
    const outside = write('other.md', 'x');
    await expect(notes.indexFile('alice', outside, OWNER)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
