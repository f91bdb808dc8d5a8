/** What a view of a long list needs: where its pages begin, and which conversations there are. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const owner = { viewer: { role: 'admin' }, via: 'http' } as const;
const worker = (agent: string) => ({ viewer: { agent, role: 'worker' }, via: 'http' }) as const;

it('memory.outline counts a list and names the memory after which each page begins', async () => {
  const client = testWorkspace().open();
  const engine = await client.open();
  const { memory } = client.agent({ name: 'zoe' });
  await memory.add({ content: 'Another category.', category: 'skill' });
  for (let n = 0; n < 25; n++) await memory.add({ content: `Memory number ${n}.` });
  await client.agent({ name: 'adam' }).memory.add({ content: 'Not for zoe.' });
  const query = { category: 'fact' } as const;
  const outline = await callVerb(verbs.memoryOutline, engine, { ...query, every: 10 }, worker('zoe'));
  expect([outline.total, outline.every, outline.anchors.length]).toEqual([25, 10, 2]);
  const pages = [undefined, ...outline.anchors].map((after) =>
    callVerb(
      verbs.memoryList,
      engine,
      { ...query, limit: 10, ...(after === undefined ? {} : { after }) },
      worker('zoe'),
    ),
  );
  const seen = (await Promise.all(pages)).flat().map(({ content }) => content);
  expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `Memory number ${24 - n}.`));
  expect((await callVerb(verbs.memoryOutline, engine, {}, owner)).total).toBe(27);
  await expect(callVerb(verbs.memoryOutline, engine, { every: 1 }, owner)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

it('log.list shows the owner and a lead every conversation, and an agent its own', async () => {
  const client = testWorkspace().open();
  const engine = await client.open();
  for (const name of ['zoe', 'adam']) {
    const talk = await client.agent({ name }).shortMemory;
    await talk.add('User', 'Hello.');
    await talk.add('assistant', 'Good day.');
    if (name === 'zoe')
      await talk.compact({ summary: 'They greeted each other, politely and at some length.' });
  }
  const names = async (caller: Parameters<typeof callVerb>[3]) =>
    (await callVerb(verbs.logList, engine, {}, caller)).map(({ agent }) => agent);
  expect(await names(owner)).toEqual(['adam', 'zoe']);
  expect(await names({ viewer: { agent: 'adam', role: 'lead' }, via: 'http' })).toEqual(['adam', 'zoe']);
  expect(await names(worker('adam'))).toEqual(['adam']);
  const [adam, zoe] = await callVerb(verbs.logList, engine, {}, owner);
  expect(adam).toMatchObject({ messages: 2, compactedUpTo: 0, history: 10, persistent: true });
  expect(zoe?.compactedUpTo).toBeGreaterThan(0);
  // What its file says holds when it runs.
  mkdirSync(engine.paths.agentsFolder, { recursive: true });
  writeFileSync(join(engine.paths.agentsFolder, 'adam.md'), '---\nhistory: medium\n---\nHelp.\n');
  writeFileSync(join(engine.paths.agentsFolder, 'zoe.md'), '---\nhistory: off\n---\nHelp.\n');
  expect(await callVerb(verbs.logList, engine, {}, owner)).toMatchObject([
    { agent: 'adam', history: 50, persistent: false },
    { agent: 'zoe', history: 0, persistent: false },
  ]);
});
