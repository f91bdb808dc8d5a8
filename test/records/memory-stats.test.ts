/** Memory in numbers: what is counted, on which day, and for whom. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { callVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const owner = { viewer: { role: 'admin' }, via: 'http' } as const;

it('counts growth, hits and tokens by day, and live memories by agent, source and category', async () => {
  const { clock, open } = testWorkspace('2026-03-01T12:00:00Z');
  const client = open();
  const engine = await client.open();
  const zoe = client.agent({ name: 'zoe' }).memory;
  await client.agent({ name: 'adam' }).memory.add({ content: 'long ago', category: 'skill' });
  clock.advance(10 * DAY);
  const { id } = await zoe.add({ content: 'one', pinned: true });
  const { id: gone } = await zoe.add({ content: 'two' });
  const { id: over } = await zoe.add({ content: 'three' });
  clock.advance(DAY);
  await zoe.forget(gone);
  await zoe.update(over, { expiresAt: clock.now() });
  const at = clock.now();
  const slots = [
    { slot: 'memory', tokens: 30 },
    { slot: 'task', tokens: 70 },
  ];
  await engine.storage.events.append([
    { type: 'memory.recalled', at, via: 'sdk', agent: 'zoe', entryCount: 2, charsInjected: 80 },
    { type: 'memory.recalled', at, via: 'sdk', agent: 'zoe', entryCount: 0, charsInjected: 0 },
    { type: 'memory.recalled', at: at - 5 * DAY, via: 'sdk', agent: 'zoe', entryCount: 1, charsInjected: 1 },
    {
      type: 'session.receipt',
      at,
      via: 'sdk',
      agent: 'zoe',
      loop: 1,
      receipt: { slots, total: { tokens: 100 } },
    },
  ]);
  const stats = await callVerb(verbs.memoryStats, engine, { days: 3 }, owner);
  const nothing = { recalls: 0, hits: 0, prompts: 0, tokens: 0, memoryTokens: 0, blocked: 0 };
  expect(stats).toEqual({
    days: [
      { day: '2026-03-10', added: 0, live: 1, ...nothing },
      { day: '2026-03-11', added: 3, live: 4, ...nothing },
      {
        ...{ day: '2026-03-12', added: 0, live: 2, ...nothing },
        ...{ recalls: 2, hits: 1, prompts: 1, tokens: 100, memoryTokens: 30 },
      },
    ],
    states: { live: 2, expired: 1, forgotten: 1 },
    pinned: 1,
    agents: { adam: 1, zoe: 1 },
    sources: { manual: 2 },
    categories: { skill: 1, fact: 1 },
  });
  expect((await zoe.get(id)).pinned).toBe(true);
});

it('is for the owner: it counts over all agents', async () => {
  const engine = await testWorkspace().open().open();
  for (const role of ['lead', 'worker', 'reader'] as const) {
    const caller = { viewer: { agent: 'zoe', role }, via: 'http' } as const;
    await expect(callVerb(verbs.memoryStats, engine, {}, caller)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  await expect(callVerb(verbs.memoryStats, engine, { days: 0 }, owner)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});
