/** `maxEntries`: how many live facts an agent may have, and which leave search first. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';

const capped = (maxEntries: number) => testAgent({ config: { memory: { maxEntries } } });

describe('B-05 maxEntries', () => {
  it('is 200 unless said otherwise, and counts live facts', async () => {
    const { memory, client } = testAgent();
    const added = await Promise.all(
      Array.from({ length: 205 }, (_, i) =>
        memory.add({ content: `fact ${i}`, confidence: 0.5 + i / 1_000 }),
      ),
    );
    expect(added.flatMap((entry) => entry.pruned)).toEqual(added.slice(0, 5).map((entry) => entry.id));
    expect(await memory.list({ limit: 1_000 })).toHaveLength(200);
    expect(await client.events.read({ types: ['memory.pruned'] })).toHaveLength(5);
  });

  it('prunes extracted before manual, then the least sure, then the least recently updated', async () => {
    const { memory, clock } = capped(5);
    const add = async (content: string, source: 'manual' | 'extracted', confidence: number) => {
      clock.advance(1_000);
      return (await memory.add({ content, source, confidence })).id;
    };
    const updatedLately = await add('c', 'manual', 0.5);
    const order = [
      await add('a', 'extracted', 0.1),
      await add('b', 'extracted', 1),
      await add('d', 'manual', 0.2),
      await add('e', 'manual', 0.5),
      updatedLately,
    ];
    clock.advance(1_000);
    await memory.update(updatedLately, { tags: ['touched'] });
    for (const [i, expected] of order.entries()) {
      clock.advance(1_000);
      expect((await memory.add({ content: `strong ${i}` })).pruned).toEqual([expected]);
    }
  });

  it('leaves the pruned one readable by id, with the reason, and fires an event', async () => {
    const { memory, client, clock } = capped(1);
    const weak = await memory.add({ content: 'quokka', confidence: 0.3, category: 'guess' });
    clock.advance(7);
    const strong = await memory.add({ content: 'wombat' });
    expect(strong.pruned).toEqual([weak.id]);
    expect(await memory.search('quokka')).toEqual([]);
    expect(await memory.get(weak.id)).toMatchObject({
      content: 'quokka',
      state: 'expired',
      expiryReason: 'maxEntries',
      expiresAt: clock.now(),
    });
    expect(await client.events.read({ types: ['memory.pruned'] })).toMatchObject([
      { id: weak.id, category: 'guess', limit: 1, agent: 'alice', via: 'sdk' },
    ]);
  });

  it('may prune the newcomer, who is told', async () => {
    const { memory } = capped(1);
    await memory.add({ content: 'sure' });
    const doubtful = await memory.add({ content: 'doubtful', confidence: 0.4 });
    expect(doubtful).toMatchObject({ outcome: 'added', state: 'expired', pruned: [doubtful.id] });
    expect((await memory.list()).map((entry) => entry.content)).toEqual(['sure']);
  });

  it('never prunes what is pinned, even beyond the cap', async () => {
    const { memory } = capped(2);
    for (let i = 0; i < 4; i++) {
      expect(await memory.add({ content: `pinned ${i}`, pinned: true, confidence: 0 })).toMatchObject({
        pruned: [],
        state: 'live',
      });
    }
    const loose = await memory.add({ content: 'loose' });
    expect(loose.pruned).toEqual([loose.id]);
    expect(await memory.list()).toHaveLength(4);
  });

  it('does not count other sources, other agents, or what is no longer live', async () => {
    const { memory, client, clock } = capped(2);
    await memory.add({ content: 'summary', source: 'session_summary' });
    await client.agent({ name: 'bob' }).memory.add({ content: 'of bob' });
    await memory.add({ content: 'short', expiresAt: clock.now() + DAY });
    const gone = await memory.add({ content: 'gone' });
    await memory.forget(gone.id);
    await memory.add({ content: 'stays' });
    clock.advance(DAY);
    expect((await memory.add({ content: 'fits, because one expired' })).pruned).toEqual([]);
    expect((await memory.add({ content: 'one too many' })).pruned).toHaveLength(1);
  });

  it('holds for a record that comes back by an update or by undoing', async () => {
    const { memory, clock } = capped(2);
    const back = await memory.add({ content: 'back' });
    await memory.update(back.id, { expiresAt: clock.now() });
    const weak = await memory.add({ content: 'weak', confidence: 0.1 });
    await memory.add({ content: 'other' });
    expect(await memory.undo(back.id)).toMatchObject({ state: 'live', pruned: [weak.id] });
    expect(await memory.list()).toHaveLength(2);
  });

  it('is that of the owner, whoever changes the record', async () => {
    const workspace = testWorkspace();
    const client = workspace.open({
      config: { memory: { maxEntries: 1 }, agents: { alice: { memory: { maxEntries: 100 } } } },
    });
    const { memory } = client.agent({ name: 'alice' });
    const ended = await memory.add({ content: 'ended', scope: 'swarm', expiresAt: workspace.clock.now() });
    for (let i = 0; i < 10; i++) await memory.add({ content: `fact ${i}` });
    expect(await client.memory.update(ended.id, { expiresAt: null })).toMatchObject({ pruned: [] });
    const lead = client.agent({ name: 'bob', role: 'lead' }).memory;
    await lead.update(ended.id, { expiresAt: workspace.clock.now() });
    expect(await lead.undo(ended.id)).toMatchObject({ pruned: [], state: 'live' });
    expect(await memory.list()).toHaveLength(11);
  });

  it('a duplicate prunes nobody', async () => {
    const { memory } = capped(1);
    const only = await memory.add({ content: 'only' });
    expect(await memory.add({ content: 'only' })).toMatchObject({
      outcome: 'duplicate',
      pruned: [],
      id: only.id,
    });
  });
});
