/** How long a record can be found: by its source, to the millisecond, and never by comparing text. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';

describe('the lifetime of a record comes from its source', () => {
  it.each([
    ['E-13', 'task_completion', 7],
    ['E-14', 'session_summary', 3],
    ['E-15', 'file_index', 30],
  ] as const)('%s %s lives %i days', async (_, source, days) => {
    const { memory, clock } = testAgent();
    const born = clock.now();
    const { id, expiresAt } = await memory.add({ content: 'quokka', source });
    expect(expiresAt).toBe(born + days * DAY);
    clock.set(born + days * DAY - 1);
    expect((await memory.search('quokka')).map((hit) => hit.id)).toEqual([id]);
    clock.advance(1);
    expect(await memory.search('quokka')).toEqual([]);
  });

  it('E-16 manual never expires, and neither do facts, knowledge and results', async () => {
    const { client, memory, clock } = testAgent();
    for (const source of ['manual', 'extracted', 'knowledge'] as const) {
      await memory.add({ content: `quokka ${source}`, source });
    }
    const owner = { viewer: { agent: 'alice', role: 'admin' }, via: 'sdk' } as const;
    await (await client.open()).records.add({ content: 'quokka result', source: 'swarm_result' }, owner);
    clock.advance(100 * 365 * DAY);
    expect(await memory.search('quokka')).toHaveLength(4);
  });

  it('the configuration can change it, and an explicit time wins', async () => {
    const { memory, clock } = testAgent({ config: { ttl: { manual: '90m', task_completion: null } } });
    const now = clock.now();
    expect((await memory.add({ content: 'a' })).expiresAt).toBe(now + 90 * 60_000);
    expect((await memory.add({ content: 'b', source: 'task_completion' })).expiresAt).toBe(null);
    expect((await memory.add({ content: 'c', expiresAt: null })).expiresAt).toBe(null);
    expect((await memory.add({ content: 'd', expiresAt: now + 5 })).expiresAt).toBe(now + 5);
  });
});

describe('an expired record', () => {
  it('E-17 E-18 E-19 leaves search and lists, is not deleted, and can be read by its id', async () => {
    const { memory, clock } = testAgent();
    const { id } = await memory.add({ content: 'quokka', source: 'session_summary', tags: ['t'] });
    clock.advance(400 * DAY);
    expect(await memory.search('quokka')).toEqual([]);
    expect(await memory.list()).toEqual([]);
    expect(await memory.get(id)).toMatchObject({ state: 'expired', expiryReason: 'ttl', content: 'quokka' });
    expect(await memory.list({ state: 'expired' })).toMatchObject([{ id, tags: ['t'] }]);
    expect(await memory.list({ state: 'any' })).toHaveLength(1);
    expect(await memory.history(id)).toHaveLength(1);
  });

  it('E-20 is cleaned up only when asked', async () => {
    const { memory, clock } = testAgent();
    const { id } = await memory.add({ content: 'quokka', source: 'session_summary' });
    clock.advance(4 * DAY);
    expect(await memory.forget(id)).toMatchObject({ id, characters: 6, versions: 1 });
    expect(await memory.get(id)).toMatchObject({ state: 'forgotten', content: '' });
  });

  it('survives closing and opening', async () => {
    const workspace = testWorkspace();
    const first = workspace.open();
    const { id } = await first
      .agent({ name: 'a' })
      .memory.add({ content: 'quokka', expiresAt: workspace.clock.now() + 1 });
    await first.close();
    workspace.clock.advance(DAY);
    const { memory } = workspace.open().agent({ name: 'a' });
    expect(await memory.get(id)).toMatchObject({ state: 'expired', content: 'quokka' });
  });

  it('can be given more time, and cannot when forgotten', async () => {
    const { memory, clock } = testAgent();
    const { id } = await memory.add({ content: 'quokka', expiresAt: clock.now() + 10 });
    clock.advance(10);
    expect(await memory.update(id, { expiresAt: null })).toMatchObject({ state: 'live', expiryReason: null });
    expect(await memory.search('quokka')).toHaveLength(1);
    expect(await memory.update(id, { expiresAt: clock.now() })).toMatchObject({
      state: 'expired',
      expiryReason: 'manual',
    });
    await memory.forget(id);
    await expect(memory.update(id, { expiresAt: null })).rejects.toMatchObject({ code: 'FORGOTTEN' });
  });
});

describe('the instant of expiry', () => {
  it.each([
    ['just before midnight', '2026-03-01T23:59:59.999Z'],
    ['at midnight', '2026-03-02T00:00:00.000Z'],
    ['just after midnight', '2026-03-02T00:00:00.001Z'],
    ['the end of the year', '2026-12-31T23:59:59.999Z'],
    ['a leap day', '2028-02-29T00:00:00.000Z'],
    ['the hour that summer time skips in Europe', '2026-03-29T01:00:00.000Z'],
    ['given in another zone', '2026-03-02T05:30:00.000+05:30'],
  ])('is exact %s (UTC)', async (_, expiresAt) => {
    const { memory, clock } = testAgent();
    await memory.add({ content: 'quokka', expiresAt });
    clock.set(Date.parse(expiresAt) - 1);
    expect(await memory.search('quokka')).toHaveLength(1);
    expect(await memory.list()).toHaveLength(1);
    clock.advance(1);
    expect(await memory.search('quokka')).toEqual([]);
    expect(await memory.list()).toEqual([]);
  });

  it('in the past makes a record that is expired from the beginning', async () => {
    const { memory, clock } = testAgent();
    const added = await memory.add({ content: 'quokka', expiresAt: clock.now() - 1 });
    expect(added).toMatchObject({ outcome: 'added', state: 'expired' });
    expect(await memory.list()).toEqual([]);
  });
});
