/** A program written for mem0 keeps working with its import changed: every call, users apart, offline and through a server. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Memory } from '../../../src/adapters/mem0/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { remoteClient, temporaryClient } from '../support.ts';

const texts = ({ results }: { results: { memory: string }[] }) => results.map(({ memory }) => memory);

describe.each([
  ['in this process', async () => temporaryClient()],
  ['through a server', remoteClient],
])('mem0, %s', (where, open) => {
  const columns = where === 'in this process' ? ['recall', 'save'] : ['remote', 'remote'];

  it(`[matrix] mem0 · ${columns[1]}: adds, reads, changes and deletes`, async () => {
    const memory = new Memory({ keepsake: { client: await open() } });
    const added = await memory.add(
      [
        { role: 'user', content: 'I am a vegetarian.' },
        { role: 'assistant', content: 'Noted.' },
      ],
      { userId: 'ada@example.org', metadata: { topic: 'food' } },
    );
    expect(added.results).toMatchObject([
      { memory: 'I am a vegetarian.', userId: 'ada@example.org', metadata: { topic: 'food', event: 'ADD' } },
    ]);
    const { id } = added.results[0]!;
    expect(await memory.get(id)).toMatchObject({
      id,
      memory: 'I am a vegetarian.',
      metadata: { topic: 'food' },
    });
    expect(await memory.update(id, 'I am a vegan.')).toEqual({ message: 'Memory updated successfully!' });
    await memory.update(id, { metadata: { since: 2026 } });
    expect(await memory.get(id)).toMatchObject({
      memory: 'I am a vegan.',
      metadata: { topic: 'food', since: 2026 },
    });
    expect((await memory.history(id)).slice(0, 2)).toMatchObject([
      { action: 'ADD', previousValue: null, newValue: 'I am a vegetarian.' },
      { action: 'UPDATE', previousValue: 'I am a vegetarian.', newValue: 'I am a vegan.' },
    ]);
    await memory.delete(id);
    expect(await memory.get(id)).toBeNull();
    expect(await memory.getAll({ filters: { user_id: 'ada@example.org' } })).toEqual({ results: [] });
  });

  it(`[matrix] mem0 · ${columns[0]}: finds by meaning, best first, with a score`, async () => {
    const memory = new Memory({ keepsake: { client: await open() } });
    await memory.add('The dog is called Bell.', { userId: 'ada' });
    await memory.add('Invoices are due after thirty days.', { userId: 'ada' });
    const { results } = await memory.search('What is the name of the pet?', {
      filters: { user_id: 'ada' },
      topK: 1,
    });
    expect(results).toMatchObject([{ memory: 'The dog is called Bell.', score: expect.any(Number) }]);
  });
});

it('[matrix] mem0 · users: no one sees the memories of another, and deleteAll leaves those of others', async () => {
  const memory = new Memory({ keepsake: { client: temporaryClient() } });
  await memory.add('Likes tea.', { userId: 'ada' });
  await memory.add('Likes tea.', { userId: 'auth0|grace' });
  await memory.add('Likes tea with milk.', { userId: 'ada', agentId: 'waiter' });
  const of = (filters: Record<string, string>) => memory.getAll({ filters });
  expect(texts(await of({ user_id: 'ada' })).sort()).toEqual(['Likes tea with milk.', 'Likes tea.']);
  expect(texts(await of({ user_id: 'ada', agent_id: 'waiter' }))).toEqual(['Likes tea with milk.']);
  expect(texts(await memory.search('tea', { filters: { user_id: 'auth0|grace' } }))).toEqual(['Likes tea.']);
  await memory.deleteAll({ userId: 'ada' });
  expect(texts(await of({ user_id: 'ada' }))).toEqual([]);
  expect(texts(await of({ user_id: 'auth0|grace' }))).toEqual(['Likes tea.']);
});

it('[matrix] mem0 · threads: runs of the same user are apart when asked for by run', async () => {
  const memory = new Memory({ keepsake: { client: temporaryClient() } });
  await memory.add('Books a flight to Rome.', { userId: 'ada', runId: 'trip-1' });
  await memory.add('Books a flight to Oslo.', { userId: 'ada', runId: 'trip-2' });
  expect(texts(await memory.getAll({ filters: { user_id: 'ada', run_id: 'trip-1' } }))).toEqual([
    'Books a flight to Rome.',
  ]);
  expect(texts(await memory.getAll({ filters: { user_id: 'ada' } }))).toHaveLength(2);
});

it('filters by metadata and refuses filters that it cannot apply', async () => {
  const memory = new Memory({ keepsake: { client: temporaryClient() } });
  await memory.add('Likes tea.', { userId: 'ada', metadata: { topic: 'drinks' } });
  await memory.add('Likes Rome.', { userId: 'ada', metadata: { topic: 'travel' } });
  const of = (topic: unknown) => memory.getAll({ filters: { user_id: 'ada', topic } });
  expect(texts(await of('travel'))).toEqual(['Likes Rome.']);
  expect(texts(await of({ in: ['travel', 'drinks'] }))).toHaveLength(2);
  await expect(of({ gte: 1 })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(memory.add('Nobody.', {})).rejects.toThrow('add() needs one of userId, agentId and runId.');
});

it('keeps more memories of a user than the usual cap, in a workspace of its own, and resets only its own', async () => {
  const workspace = temporaryFolder();
  const memory = new Memory({ vectorStore: { provider: 'memory' }, keepsake: { workspace } });
  onTestFinished(() => memory.close());
  for (let i = 0; i < 230; i++) await memory.add(`Visited place number ${i}.`, { userId: 'ada' });
  expect((await memory.getAll({ filters: { user_id: 'ada' }, topK: 1_000 })).results).toHaveLength(230);
  await memory.reset();
  expect((await memory.getAll({ filters: { user_id: 'ada' }, topK: 1_000 })).results).toEqual([]);
});
