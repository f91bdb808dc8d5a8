/** Sessions without an identity: a model and its tools, and nothing that is remembered. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { calls, said, scene, systemOf, textOf } from './fixture.ts';

it('B-46 nothing is injected, whatever the workspace knows', async () => {
  const { client, server, agent } = await scene(['Hello.']);
  await agent().memory.add({ content: 'The user likes tea.', category: 'preference', pinned: true });
  await agent().sections.save('tea', 'Green.');
  await using session = await client.session({ model: server.model(), instructions: 'You are nobody.' });
  expect(session.agent).toBeNull();
  await session.send('Which tea do I like?');
  expect(systemOf(server.requests[0])).toBe(
    'Current date and time: Sunday, 2026-03-01 12:00 (UTC).\n\nYou are nobody.',
  );
  expect(said(server.requests[0])).toEqual(['user: Which tea do I like?']);
});

it('B-47 the memory tools are there, answer with one clear sentence, and do nothing', async () => {
  const { client, server } = await scene([
    calls(
      { name: 'remember', arguments: { content: 'A fact.' } },
      { name: 'recall', arguments: { query: 'fact' } },
      { name: 'forget', arguments: { id: 'mem_1' } },
      { name: 'memory_save', arguments: { section: 'a', content: 'b' } },
      { name: 'memory_append', arguments: { section: 'a', content: 'b' } },
      { name: 'memory_retrieve', arguments: { section: 'a' } },
      { name: 'memory-search', arguments: { query: 'a' } },
      { name: 'memory-get', arguments: { id: 'mem_1' } },
      { name: 'memory-delete', arguments: { id: 'mem_1' } },
      { name: 'inject-learning', arguments: { learning: 'A lesson.' } },
    ),
    'I have no memory.',
  ]);
  const packs = ['facts', 'sections', 'swarm'] as const;
  await using session = await client.session({ model: server.model(), packs });
  await session.send('Remember a fact.');
  const results = server.requests[1]!.messages.filter(({ role }) => role === 'tool').map(textOf);
  expect(results).toHaveLength(10);
  for (const result of results) expect(result).toContain('This session has no agent identity');
  expect(await client.memory.list()).toEqual([]);
});

it('B-47 the facts tools are there too when memory is enabled for the workspace', async () => {
  const { client, server } = await scene(['Hello.'], { config: { memory: { enabled: true } } });
  await using session = await client.session({ model: server.model() });
  await session.send('Hello');
  expect(server.requests[0]!.tools.map(({ name }) => name)).toContain('remember');
});

it('B-46 goes on within itself, and leaves nothing behind', async () => {
  const { client, server, folder, bytes } = await scene(['One.', 'Two.']);
  const session = await client.session({ model: server.model() });
  await session.send('First');
  await session.send('Second');
  expect(said(server.requests[1])).toEqual(['user: First', 'assistant: One.', 'user: Second']);
  await session.end();
  await client.close();
  expect(readdirSync(folder)).toEqual(['data']);
  expect(bytes()).not.toContain('First');
});

it('B-46 its events belong to no agent', async () => {
  const { client, server } = await scene(['One.'], { config: { memory: { enabled: true } } });
  const types: string[] = [];
  await using session = await client.session({ model: server.model() });
  await session.send('First', { onEvent: ({ type, agent }) => types.push(`${type} ${agent}`) });
  expect(types).toEqual([
    'session.sent undefined',
    'session.receipt undefined',
    'session.completed undefined',
  ]);
});

it('needs a model as well', async () => {
  const { client } = await scene();
  await expect(client.session()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});
