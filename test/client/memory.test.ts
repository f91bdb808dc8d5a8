/** The SDK as the documents show it: one client, agents by name, seven verbs. */
import { describe, expect, it } from 'vitest';
import { createClient, SUGGESTED_CATEGORIES } from '../../src/index.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';
import { topicModel } from '../records/support/topic-model.ts';

describe('the memory of an agent', () => {
  it('B-19 B-20 B-21 B-22 B-23 B-24 is added to, searched, listed and forgotten', async () => {
    const workspace = testWorkspace();
    const client = createClient({ workspace: workspace.folder });
    const agent = client.agent({ name: 'my-agent' });
    try {
      const added = await agent.memory.add({ category: 'preference', content: 'Prefers Python over Java.' });
      expect(added).toMatchObject({
        outcome: 'added',
        category: 'preference',
        agent: 'my-agent',
        state: 'live',
      });

      const hits = await agent.memory.search('which language does she prefer?', { limit: 5 });
      expect(hits.map((hit) => hit.id)).toEqual([added.id]);

      const listed = await agent.memory.list({ category: 'preference', limit: 10 });
      expect(listed.map((entry) => entry.content)).toEqual(['Prefers Python over Java.']);

      await agent.memory.forget(added.id);
      expect(await agent.memory.search('python')).toEqual([]);
      expect(await agent.memory.list()).toEqual([]);
    } finally {
      await client.close();
    }
  });

  it('B-01 persists across sessions', async () => {
    const workspace = testWorkspace();
    const first = workspace.open();
    const { id } = await first.agent({ name: 'alice' }).memory.add({ content: 'Deploys on Fridays.' });
    await first.close();
    const second = workspace.open();
    const [hit] = await second.agent({ name: 'alice' }).memory.search('deploy');
    expect(hit).toMatchObject({ id, content: 'Deploys on Fridays.' });
  });

  it('B-03 is a silo of its own', async () => {
    const { client, memory } = testAgent();
    const { id } = await memory.add({ content: 'Only for Alice.' });
    const bob = client.agent({ name: 'bob' }).memory;
    expect(await bob.search('alice')).toEqual([]);
    expect(await bob.list({ state: 'any' })).toEqual([]);
    for (const call of [() => bob.get(id), () => bob.history(id), () => bob.forget(id)]) {
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await client.memory.search('alice')).toHaveLength(1);
  });

  it('B-17 B-18 takes the five suggested categories and any other', async () => {
    const { memory } = testAgent();
    const own = ['deployment-note', 'Ünïcode 範疇', 'with space'];
    expect(SUGGESTED_CATEGORIES).toEqual([
      'fact',
      'preference',
      'instruction',
      'relationship',
      'skill_observation',
    ]);
    for (const category of [...SUGGESTED_CATEGORIES, ...own]) {
      await memory.add({ category, content: `shared words of ${category}` });
    }
    for (const category of [...SUGGESTED_CATEGORIES, ...own]) {
      const listed = await memory.list({ category });
      expect(listed.map((entry) => entry.category)).toEqual([category]);
      const found = await memory.search('shared words', { category });
      expect(found.map((entry) => entry.category)).toEqual([category]);
    }
    const two = await memory.list({ categories: ['fact', 'preference'] });
    expect(two.map((entry) => entry.category)).toEqual(['preference', 'fact']);
  });

  it('has documented defaults', async () => {
    const { memory, clock } = testAgent();
    expect(await memory.add({ content: 'plain' })).toMatchObject({
      category: 'fact',
      confidence: 1,
      scope: 'agent',
      source: 'manual',
      origin: 'user',
      tags: [],
      metadata: {},
      pinned: false,
      expiresAt: null,
      version: 1,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      pruned: [],
    });
  });

  it('keeps what it was given, as it was given', async () => {
    const { memory } = testAgent();
    const input = {
      content: '  indented\r\n\ttext \u0000 with everything ✓\n',
      category: 'convention',
      confidence: 0.75,
      scope: 'swarm',
      tags: ['a b', 'Ünï', '漢字'],
      metadata: { number: -1.5e300, nested: [{ a: null }, [], {}], text: '\u2028"\\' },
      origin: 'agent',
      pinned: true,
      expiresAt: '2027-01-01T00:00:00+01:00',
    } as const;
    const { id } = await memory.add({
      ...input,
      tags: [...input.tags],
      metadata: { ...input.metadata } as never,
    });
    expect(await memory.get(id)).toMatchObject({ ...input, expiresAt: Date.parse(input.expiresAt) });
  });
});

describe('a search that cannot go by meaning', () => {
  it('says so with its answer, in memory and in documents', async () => {
    const model = topicModel();
    const { agent, memory } = testAgent({ embedding: model });
    await memory.add({ content: 'My kitten sleeps.' });
    await agent.knowledge.store('Every puppy needs a walk.');
    expect((await memory.search('kitten')).notices).toEqual([]);
    expect((await agent.knowledge.search('puppy')).notices).toEqual([]);
    model.mode = 'fails';
    const told = [expect.stringContaining('out of order')];
    expect((await memory.search('kitten')).notices).toEqual(told);
    expect((await agent.knowledge.search('puppy')).notices).toEqual(told);
  });
});

describe('the memory of all agents', () => {
  it('shows the owner of the workspace everything, and writes only for a named agent', async () => {
    const { client, memory } = testAgent();
    const mine = await memory.add({ content: 'first of alice' });
    const his = await client.agent({ name: 'bob' }).memory.add({ content: 'first of bob' });
    expect((await client.memory.list()).map((entry) => entry.id)).toEqual([his.id, mine.id]);
    // What would need an agent is not there, for the compiler and at run time.
    // @ts-expect-error
    expect([client.memory.add, client.memory.teach]).toEqual([undefined, undefined]);
    await client.memory.forget(his.id);
    await client.memory.update(mine.id, { content: 'changed by the owner of the workspace' });
    expect((await memory.history(mine.id)).at(-1)).toMatchObject({ changedBy: 'admin' });
  });
});

describe('the name of an agent', () => {
  it.each(['../../evil', '', '.hidden', 'a/b', 'con', 'x.memory'])('%j is refused at once', (name) => {
    const { client } = testAgent();
    expect(() => client.agent({ name })).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
  });

  it('must not differ from an existing one by case only', async () => {
    const { client, memory } = testAgent();
    await memory.add({ content: 'first' });
    const twin = client.agent({ name: 'ALICE' }).memory;
    await expect(twin.add({ content: 'second' })).rejects.toMatchObject({
      code: 'INVALID_NAME',
      hint: expect.stringContaining('"alice"'),
    });
    expect(await twin.list()).toEqual([]);
  });

  it('B-02 settings differ per agent: opt-in, and off unless enabled', async () => {
    const { client } = testAgent({ config: { agents: { bob: { memory: { enabled: true } } } } });
    const { config } = await client.open();
    expect(config.memory.enabled).toBe(false);
    expect(config.agents.bob?.memory?.enabled).toBe(true);
  });
});
