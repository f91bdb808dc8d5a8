/** What Markdown agents send of the past, and what they store. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/index.ts';
import { call, said, scene, systemOf } from '../fixture.ts';
import { markdownScene } from './fixture.ts';

for (const [history, most] of [
  ['low', 10],
  ['medium', 50],
] as const) {
  it(`D-04 D-05 D-08 D-12 history ${history} sends at most ${most} earlier messages inside one long chat`, async () => {
    const { defined, write, server } = await markdownScene((_, index) => `Answer ${index + 1}.`);
    write('agents/planner.md', `---\nhistory: ${history}\n---\nYou plan.\n`);
    const session = await (await defined('planner')).session();
    const prompts = most / 2 + 3;
    for (let i = 1; i <= prompts; i++) await session.send(`Question ${i}?`);
    const turns = said(server.requests.at(-1));
    expect(turns).toHaveLength(most + 1);
    expect(turns[0]).toBe(`user: Question ${prompts - most / 2}?`);
    expect(turns.at(-1)).toBe(`user: Question ${prompts}?`);
    expect(systemOf(server.requests.at(-1))).not.toContain('Question 1?');
  });
}

it('D-08 what left the window of a running chat is found by more_context, and counted again after a restart', async () => {
  const { defined, write, server, client, open } = await markdownScene((_, index) =>
    index === 8 ? call('more_context', { limit: 2 }) : `Answer ${index + 1}.`,
  );
  write('agents/planner.md', '---\ntools: [context]\n---\nYou plan.\n');
  const session = await (await defined('planner')).session();
  for (let i = 1; i <= 9; i++) await session.send(`Question ${i}?`);
  expect(said(server.requests[9]).at(-1)).toMatch(/Question 3\?[\s\S]*Answer 3\./);
  await client.close();
  await (await defined('planner', open())).run('And now?');
  expect(said(server.requests[10]).length).toBeLessThanOrEqual(11);
});

it('D-10 a Markdown agent keeps and sends no MEMORY.md unless its frontmatter asks for it', async () => {
  const { defined, write, server, folder } = await markdownScene((_, index) => `Answer ${index + 1}.`);
  write('agents/planner.md', '---\nhistory: low\n---\nYou plan.\n');
  write('agents/keeper.md', '---\nhistory: low\npersistentMemory: true\n---\nYou keep.\n');
  for (const name of ['planner', 'keeper']) {
    const session = await (await defined(name)).session();
    for (let i = 1; i <= 7; i++) await session.send(`Question ${i} for ${name}?`);
  }
  const [planner, keeper] = [server.requests[6], server.requests[13]];
  expect(systemOf(planner)).not.toContain('MEMORY.md');
  expect(existsSync(join(folder, 'agents/planner/MEMORY.md'))).toBe(false);
  expect(systemOf(keeper)).toMatch(/\[Persistent Memory - MEMORY\.md\][\s\S]*Question 1 for keeper\?/);
  expect(systemOf(keeper)).not.toContain('Question 2 for keeper?');
  expect(said(keeper)).toHaveLength(11);
});

it('D-10 an old MEMORY.md of a Markdown agent is not sent and stays as it is', async () => {
  const { agent, defined, write, server, client, open } = await markdownScene(['One.', 'Two.']);
  await agent({ name: 'planner' }).run('Said long ago.');
  const before = await agent({ name: 'planner' }).shortMemory;
  await before.add('User', 'A note.');
  await client.close();
  write('agents/planner.md', '---\nhistory: low\n---\nYou plan.\n');
  await (await defined('planner', open())).run('And now?');
  expect(systemOf(server.requests[1])).not.toContain('Said long ago.');
  expect(said(server.requests[1])[0]).toBe('user: Said long ago.');
});

it('history low of a program sends 10 turns too; what is older follows in the text of MEMORY.md', async () => {
  const { agent, server } = await scene((_, index) => `Answer ${index + 1}.`);
  const session = await agent({ history: 'low' }).session();
  for (let i = 1; i <= 8; i++) await session.send(`Question ${i}?`);
  expect(said(server.requests[7])).toHaveLength(11);
  expect(systemOf(server.requests[7])).toMatch(/Question 1\?[\s\S]*Answer 1\.[\s\S]*Answer 2\./);
  expect(systemOf(server.requests[7])).not.toContain('Question 3?');
});

it('a task that is under way keeps all of its steps, whatever is said beside it', async () => {
  const asides: string[] = [];
  const aside = defineTool({
    name: 'aside',
    description: 'Talks to the same agent in another session.',
    input: z.object({}),
    run: async () => {
      await beside.send(`Aside ${asides.length}.`);
      asides.push('said');
      return `aside ${asides.length} is done`;
    },
  });
  const world = await scene((request) => {
    const turns = said(request);
    if (turns.at(-1)?.startsWith('user: Aside')) return 'Yes.';
    return asides.length < 8 ? call('aside') : 'All done.';
  });
  const alice = world.agent({ history: 'low', persistentMemory: false, tools: [aside] });
  const beside = await alice.session();
  const working = await alice.session();
  expect((await working.send('The long task.')).text).toBe('All done.');
  const last = said(world.server.requests.at(-1));
  expect(last).toContain('user: The long task.');
  expect(last.filter((turn) => turn.startsWith('tool: aside'))).toHaveLength(8);
});

it('D-07 a message for a Markdown agent with history off is refused, not stored', async () => {
  const { write, client, bytes } = await markdownScene([]);
  write('agents/planner.md', '---\nhistory: off\n---\nYou plan.\n');
  await expect(
    client.agent({ name: 'planner' }).log.add('user', 'My number is 555-0199.'),
  ).rejects.toMatchObject({ code: 'READ_ONLY' });
  await client.close();
  expect(bytes()).not.toContain('555-0199');
});
