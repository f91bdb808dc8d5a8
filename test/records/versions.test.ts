/** Changing a memory and taking it back. */
import { describe, expect, it } from 'vitest';
import type { KeepsakeEvent } from '../../src/index.ts';
import { testAgent } from '../fixtures/workspace.ts';

describe('versions', () => {
  it('are kept with who, when and what', async () => {
    const { memory, clock } = testAgent();
    const start = clock.now();
    const { id } = await memory.add({ content: 'one', tags: ['a'], metadata: { n: 1 } });
    clock.advance(10);
    await memory.update(id, { content: 'two', metadata: { n: 2 } });
    clock.advance(10);
    await memory.update(id, { confidence: 0.5, category: 'other' });
    expect(await memory.history(id)).toEqual([
      {
        id,
        version: 1,
        change: 'added',
        changedAt: start,
        changedBy: 'alice',
        content: 'one',
        category: 'fact',
        confidence: 1,
        scope: 'agent',
        tags: ['a'],
        metadata: { n: 1 },
        pinned: false,
        expiresAt: null,
      },
      expect.objectContaining({ version: 2, change: 'updated', content: 'two', changedAt: start + 10 }),
      expect.objectContaining({
        version: 3,
        content: 'two',
        confidence: 0.5,
        category: 'other',
        metadata: { n: 2 },
      }),
    ]);
  });

  it('undo takes back the last change; undoing twice brings it back again', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'one' });
    await memory.update(id, { content: 'two' });
    expect(await memory.undo(id)).toMatchObject({ content: 'one', version: 3, outcome: 'updated' });
    expect(await memory.undo(id)).toMatchObject({ content: 'two', version: 4 });
    expect((await memory.history(id)).map((entry) => entry.change)).toEqual([
      'added',
      'updated',
      'undone',
      'undone',
    ]);
  });

  it('whoever listens hears of the undo, with the version that it made', async () => {
    const { memory, client } = testAgent();
    const { id } = await memory.add({ content: 'one' });
    await memory.update(id, { content: 'two' });
    const heard: KeepsakeEvent[] = [];
    const unsubscribe = client.events.subscribe((event) => heard.push(event));
    await memory.undo(id);
    expect(heard).toMatchObject([{ type: 'memory.wrote', id, version: 3, change: 'undone', agent: 'alice' }]);
    unsubscribe();
    await memory.undo(id, { version: 1 });
    expect(heard).toHaveLength(1);
  });

  it('undo goes back to any version, and the text of that version is found again', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'aardvark' });
    await memory.update(id, { content: 'badger' });
    await memory.update(id, { content: 'civet' });
    await memory.undo(id, { version: 1 });
    expect(await memory.search('aardvark')).toHaveLength(1);
    expect(await memory.search('badger civet')).toEqual([]);
  });

  it('undo without anything to take back says so', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'one' });
    await expect(memory.undo(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.undo(id, { version: 7 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('an update that changes nothing makes no version and no event', async () => {
    const { memory, client, clock } = testAgent();
    const { id, updatedAt } = await memory.add({ content: 'one', tags: ['a'], metadata: { a: 1 } });
    clock.advance(10);
    const result = await memory.update(id, {
      content: 'one',
      tags: ['a'],
      metadata: { a: 1 },
      pinned: false,
    });
    expect(result).toMatchObject({ outcome: 'unchanged', version: 1, updatedAt });
    expect(await memory.update(id, {})).toMatchObject({ outcome: 'unchanged' });
    expect(await client.events.read()).toHaveLength(1);
  });

  it('ifVersion refuses to overwrite what someone else changed', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'one' });
    await memory.update(id, { content: 'two', ifVersion: 1 });
    await expect(memory.update(id, { content: 'three', ifVersion: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { id, expected: 1, found: 2 },
    });
    await expect(memory.undo(id, { ifVersion: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await memory.undo(id, { ifVersion: 2 })).toMatchObject({ version: 3 });
  });

  it('of ten writers with the same version one wins', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'start' });
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => memory.update(id, { content: `by ${i}`, ifVersion: 1 })),
    );
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
    expect((await memory.get(id)).version).toBe(2);
  });
});

describe('lists', () => {
  it('are filtered by everything that a record has', async () => {
    const { memory, clock } = testAgent();
    const add = async (input: Parameters<typeof memory.add>[0]) => {
      clock.advance(1_000);
      return (await memory.add(input)).id;
    };
    const a = await add({ content: 'a', category: 'x', tags: ['t', 'u'], confidence: 0.9, pinned: true });
    const b = await add({ content: 'b', category: 'y', tags: ['t'], confidence: 0.5, source: 'knowledge' });
    const since = clock.now();
    const c = await add({ content: 'c', category: 'x', tags: ['u'], confidence: 0.1, scope: 'swarm' });
    const ids = async (options: Parameters<typeof memory.list>[0]) =>
      (await memory.list(options)).map((entry) => entry.id);
    expect(await ids({})).toEqual([c, b, a]);
    expect(await ids({ category: 'x' })).toEqual([c, a]);
    expect(await ids({ categories: ['y'], category: 'x' })).toEqual([c, b, a]);
    expect(await ids({ tags: ['t'] })).toEqual([b, a]);
    expect(await ids({ tags: ['t', 'u'] })).toEqual([a]);
    expect(await ids({ source: 'knowledge' })).toEqual([b]);
    expect(await ids({ scope: 'swarm' })).toEqual([c]);
    expect(await ids({ minConfidence: 0.5 })).toEqual([b, a]);
    expect(await ids({ pinned: true })).toEqual([a]);
    expect(await ids({ pinned: false })).toEqual([c, b]);
    expect(await ids({ since: since + 1 })).toEqual([c]);
    expect(await ids({ before: new Date(since).toISOString() })).toEqual([a]);
    expect(await ids({ since, before: since + 1 })).toEqual([b]);
    expect(await ids({ categories: [] })).toEqual([]);
    expect(await ids({ category: "x' OR 1=1 --" })).toEqual([]);
  });

  it('come in pages without gaps or repeats while others write', async () => {
    const { memory } = testAgent();
    const ids: string[] = [];
    for (let i = 0; i < 23; i++) ids.unshift((await memory.add({ content: `n${i}` })).id);
    const pages: string[] = [];
    for (let after: string | undefined; ; after = pages.at(-1)) {
      const page = await memory.list({ limit: 5, ...(after === undefined ? {} : { after }) });
      if (page.length === 0) break;
      pages.push(...page.map((entry) => entry.id));
      await memory.add({ content: `newcomer after ${pages.length}` });
    }
    expect(pages).toEqual(ids);
  });
});
