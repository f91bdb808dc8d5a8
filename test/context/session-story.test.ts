/** Sessions as people read them: first prompt, texts of memories, tool calls, answer and cost. */
import { expect, it } from 'vitest';
import type { Caller } from '../../src/kernel/caller.ts';
import { callVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';
import { call, scene } from '../agents/fixture.ts';

const OWNER: Caller = { viewer: { role: 'admin' }, via: 'sdk' };

it('session.list and session.get show what was asked, seen, done and answered, and count no access', async () => {
  const { agent, client, clock } = await scene([
    call('remember', { content: 'The user likes tea.', category: 'preference' }),
    { text: ['Tea it is.'] },
    { text: ['Green.'] },
  ]);
  const alice = agent({ memory: { enabled: true } });
  const { id } = await alice.memory.add({ content: 'The user lives in Graz.', category: 'preference' });
  await using session = await alice.session();
  await session.send('Tea, please.');
  await session.send('Which colour?');
  // The workspace's clock stands still otherwise, and both versions would have the same time.
  clock.set(clock.now() + 60_000);
  await alice.memory.update(id, { content: 'The user lives in Linz.' });
  const engine = await client.open();
  const before = (await engine.storage.records.get(id, OWNER.viewer, Date.now()))?.accessCount;
  const { sessions, more } = await callVerb(verbs.sessionList, engine, {}, OWNER);
  expect(more).toBe(false);
  expect(sessions).toMatchObject([
    { session: session.id, agent: alice.name, firstPrompt: 'Tea, please.', prompts: 2, outcome: 'completed' },
  ]);
  const { prompts } = await callVerb(verbs.sessionGet, engine, { session: session.id }, OWNER);
  expect(prompts.map(({ calls, messages }) => [calls.length, messages.length])).toEqual([
    [2, 4],
    [1, 2],
  ]);
  const [tea, colour] = prompts;
  expect(tea!.messages[0]).toMatchObject({ role: 'User', content: 'Tea, please.' });
  expect(JSON.stringify(tea!.messages[1]!.content)).toContain('remember');
  expect(JSON.stringify(tea!.messages.at(-1)!.content)).toContain('Tea it is.');
  expect(JSON.stringify(colour!.messages.at(-1)!.content)).toContain('Green.');
  expect(tea!.calls[0]!.texts[id]).toBe('The user lives in Graz.');
  expect(tea!.inputTokens).toBeGreaterThan(0);
  const after = (await engine.storage.records.get(id, OWNER.viewer, Date.now()))?.accessCount;
  expect(after).toBe(before);
  const stranger: Caller = { viewer: { agent: 'stranger', role: 'worker' }, via: 'sdk' };
  expect(await callVerb(verbs.sessionList, engine, {}, stranger)).toEqual({ sessions: [], more: false });
  const asked = callVerb(verbs.sessionGet, engine, { session: session.id }, stranger);
  await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await alice.memory.forget(id);
  const erased = await callVerb(verbs.sessionGet, engine, { session: session.id }, OWNER);
  expect(JSON.stringify(erased.prompts.map(({ calls }) => calls))).not.toContain('Graz');
});
