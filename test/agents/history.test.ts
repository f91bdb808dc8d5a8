/** How much of the past an agent sees by itself, and how it asks for the rest. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentOptions } from '../../src/index.ts';
import { call, type Scene, said, scene, systemOf } from './fixture.ts';

/** A long talk of an earlier process, and what the next one sends. */
async function sentAgain(
  { agent, client, open, server }: Scene,
  settings: Partial<AgentOptions>,
): Promise<string[]> {
  const earlier = await agent({ ...settings, history: 'low', name: 'alice' }).shortMemory;
  const turns = Array.from({ length: 110 }, (_, i) => [
    earlier.add('User', `Question ${i + 1}?`),
    earlier.add('alice', `Answer ${i + 1}.`),
  ]);
  await Promise.all(turns.flat());
  await client.close();
  await agent(settings, open()).run('And now?');
  return said(server.requests[0]);
}

for (const [history, count] of [
  ['low', 10],
  ['medium', 50],
  ['high', 200],
] as const) {
  it(`D-04 D-05 D-06 D-08 history ${history} sends the last ${count} messages of earlier runs`, async () => {
    const turns = await sentAgain(await scene(['Now.']), { history, persistentMemory: false });
    expect(turns).toHaveLength(count + 1);
    expect(turns.at(-1)).toBe('user: And now?');
    expect(turns.at(-2)).toBe('assistant: Answer 110.');
    expect(turns[0]).toBe(`user: Question ${111 - count / 2}?`);
  });
}

it('D-04 low is the default', async () => {
  const turns = await sentAgain(await scene(['Now.']), {});
  expect(turns).toHaveLength(11);
});

it('D-07 off sends nothing and stores nothing', async () => {
  const { agent, open, client, server, bytes } = await scene(['Secret one.', 'Secret two.', 'Nothing.']);
  const options = { history: 'off', persistentMemory: false } as const;
  await agent(options).run('My number is 555-0199.');
  await client.close();
  expect(bytes()).not.toContain('555-0199');
  const next = open();
  await agent(options, next).run('What is my number?');
  expect(said(server.requests[1])).toEqual(['user: What is my number?']);
  expect(systemOf(server.requests[1])).not.toContain('555-0199');
});

for (const [where, options] of [
  ['in code', { history: 'off' }],
  ['in code, although persistentMemory is on', { history: 'off', persistentMemory: true }],
  ['in the configuration', { config: { history: false } }],
] as const) {
  it(`D-07 off ${where} stores no message, no MEMORY.md, no task, no summary and nothing learned`, async () => {
    const { config = {}, ...own } = options as { config?: object };
    const { agent, client, bytes, server } = await scene(
      [call('remember', { content: 'The parrot is called Rio.' }), 'Noted.', 'One.', 'Two.'],
      { config: { memory: { enabled: true, minMessagesToExtract: 1 }, ...config } },
    );
    const { paths } = await client.open();
    await agent(own).run('My number is 555-0199.');
    const session = await agent(own).session();
    await session.send('My other number is 555-0188.');
    await session.send('And 555-0177.');
    await session.end();
    // What the agent stores with its tools is stored.
    expect((await agent(own).memory.list()).map(({ content }) => content)).toEqual([
      'The parrot is called Rio.',
    ]);
    await client.close();
    expect(bytes()).not.toContain('555-01');
    expect(existsSync(paths.memoryFile('alice'))).toBe(false);
    // No review was asked for.
    expect(server.requests).toHaveLength(4);
  });
}

it('D-09 all runs of one agent share one thread, whatever handle they come from', async () => {
  const { agent, client, open, server } = await scene(['One.', 'Two.', 'Three.']);
  await agent().run('First');
  await client.close();
  const other = open();
  await agent({}, other).run('Second');
  await agent({}, other).run('Third');
  expect(said(server.requests[2])).toEqual([
    'user: First',
    'assistant: One.',
    'user: Second',
    'assistant: Two.',
    'user: Third',
  ]);
});

it('D-10 the system message is fresh with every run, and never part of the history', async () => {
  const { agent, client, open, server, clock } = await scene(['One.', 'Two.']);
  await agent({ systemPrompt: 'Old prompt.' }).run('First');
  await agent().sections.save('news', 'Something happened.');
  await client.close();
  clock.advance(3 * 60 * 60 * 1000);
  await agent({ systemPrompt: 'New prompt.' }, open()).run('Second');
  const system = systemOf(server.requests[1]);
  expect(system).toContain('Current date and time: Sunday, 2026-03-01 15:00 (UTC).');
  expect(system).toContain('- news');
  expect(system).toContain('New prompt.');
  expect(system).not.toContain('Old prompt.');
});

it('D-14 D-16 sections are saved, appended to and read, and listed in the next prompt', async () => {
  const { agent, server } = await scene([
    call('memory_save', { section: 'plan', content: 'Step one.' }),
    call('memory_append', { section: 'plan', content: 'Step two.' }),
    call('memory_retrieve', { section: 'plan' }),
    call('memory_save', { section: 'plan', content: 'All new.' }),
    'Planned.',
  ]);
  const alice = agent({ history: 'off' });
  await alice.run('Plan.');
  const results = said(server.requests.at(-1)).filter((text) => text.startsWith('tool:'));
  expect(results[2]).toMatch(/^tool: memory_retrieve → Step one\.\n+Step two\.$/);
  expect((await alice.sections.get('plan')).content).toBe('All new.');
  expect(systemOf(server.requests[0])).not.toContain('- plan');
  // At the next loop already: the system message is put together again.
  expect(systemOf(server.requests[1])).toContain('- plan');
});

it('C-20 C-21 an agent begins with little and asks for what was said before', async () => {
  const world = await scene([
    call('more_context', { limit: 2 }),
    call('more_context', { query: 'Question 7' }),
    'I see.',
  ]);
  const { server } = world;
  const turns = await sentAgain(world, { history: 'low', persistentMemory: false });
  expect(turns).toHaveLength(11);
  const [, page, found] = server.requests.map((request) => said(request).at(-1)!);
  expect(page).toMatch(
    /User: Question 105\?\n\[msg_[^\]]+\] [^ ]+ alice: Answer 105\.\n\(there are earlier messages\)$/,
  );
  expect(found).toContain('Question 7?');
});

it('C-21 pages further back with before', async () => {
  let before = '';
  const world = await scene((request, index) => {
    if (index > 0) before ||= /\[(msg_[^\]]+)\]/.exec(said(request).at(-1)!)![1]!;
    if (index === 0) return call('more_context', { limit: 2 });
    return index === 1 ? call('more_context', { limit: 2, before }) : 'I see.';
  });
  await sentAgain(world, { history: 'low', persistentMemory: false });
  expect(said(world.server.requests[2]).at(-1)).toContain('Question 104?');
});

it('C-20 with history off there is the system prompt and the task, and more_context says that there is nothing', async () => {
  const { agent, server } = await scene(['One.', call('more_context'), 'Nothing.']);
  const options = { history: 'off', persistentMemory: false, systemPrompt: 'You are brief.' } as const;
  await agent({ ...options }).run('First');
  await agent({ ...options }).run('Second');
  expect(said(server.requests[1])).toEqual(['user: Second']);
  expect(said(server.requests[2]).at(-1)).toBe('tool: more_context → There are no earlier messages.');
});

it('A-60 the export of another agent is sent as it was: answers as answers, tool calls with their results', async () => {
  const { agent, server, folder } = await scene(['Take an umbrella.']);
  const there = await agent({ name: 'carol' }).shortMemory;
  await there.add('User', 'What is the weather?');
  await there.add('assistant', [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }]);
  await there.add('tool', [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: 'rain' }]);
  await there.add('assistant', 'It rains.');
  const path = await there.export({ path: join(folder, 'carol.json') });
  const alice = agent();
  await (await alice.shortMemory).load(path);
  await alice.run('What shall I take?');
  expect(said(server.requests[0])).toEqual([
    'user: What is the weather?',
    'assistant: look({})',
    'tool: look → rain',
    'assistant: It rains.',
    'user: What shall I take?',
  ]);
});
