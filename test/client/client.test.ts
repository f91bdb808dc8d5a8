/** The client: opened on first use, closed for good, one stream of events over all clients. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient, KeepsakeError, type KeepsakeEvent } from '../../src/index.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';

describe('a client', () => {
  it('touches nothing until it is used', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    client.agent({ name: 'alice' });
    expect(readdirSync(workspace.folder)).toEqual([]);
    await client.open();
    expect(existsSync(join(workspace.folder, 'data', 'keepsake.db'))).toBe(true);
    expect(readdirSync(workspace.folder)).toEqual(['data']);
    expect(readFileSync(join(workspace.folder, 'data', '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('closes by itself at the end of a block, and twice without harm', async () => {
    const workspace = testWorkspace();
    const outer = workspace.open();
    {
      await using client = outer;
      await client.agent({ name: 'alice' }).memory.add({ content: 'x' });
    }
    await outer.close();
    await expect(outer.memory.list()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('finishes what was asked for before it closes', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    await client.open();
    const { memory } = client.agent({ name: 'alice' });
    const adding = Promise.all(Array.from({ length: 20 }, (_, i) => memory.add({ content: `n${i}` })));
    // One turn of the event loop, in which each call reaches the store.
    await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    await adding;
    expect(await workspace.open().memory.list()).toHaveLength(20);
  });

  it('can be closed without ever having been opened', async () => {
    const client = testWorkspace().open();
    await client.close();
    await expect(client.open()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('makes a workspace that is not there, or with create: false refuses it as the command line does', async () => {
    const workspace = join(testWorkspace().folder, 'tpyo');
    await using careful = createClient({ workspace, create: false });
    await expect(careful.memory.list()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no workspace at ${workspace}.`,
    });
    expect(existsSync(workspace)).toBe(false);
    await using client = createClient({ workspace });
    expect(await client.memory.list()).toEqual([]);
    expect(await careful.memory.list()).toEqual([]);
  });

  it('may open after all when the obstacle is gone', async () => {
    const workspace = testWorkspace();
    const obstacle = join(workspace.folder, 'data');
    writeFileSync(obstacle, 'a file where a folder must be');
    const client = workspace.open();
    await expect(client.memory.list()).rejects.toSatisfy(KeepsakeError.is);
    rmSync(obstacle);
    expect(await client.memory.list()).toEqual([]);
  });
});

describe('events', () => {
  it('reach the listeners of a client in order, and all clients in one numbering', async () => {
    const workspace = testWorkspace();
    const [one, two] = [workspace.open(), workspace.open()];
    const heard: KeepsakeEvent[] = [];
    one.events.subscribe((event) => heard.push(event));
    two.events.subscribe((event) => heard.push(event));
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) {
      const client = i % 2 ? one : two;
      ids.push((await client.agent({ name: 'alice' }).memory.add({ content: `n${i}` })).id);
    }
    await one.memory.update(ids[0]!, { content: 'changed' });
    await two.memory.forget(ids[1]!);
    expect(heard.map((event) => event.type)).toEqual([
      ...Array.from({ length: 11 }, () => 'memory.wrote'),
      'memory.forgotten',
    ]);
    const numbers = heard.map((event) => event.seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(12);
    // What is forgotten later loses its category, which is free text, in the stored events too.
    const stored = heard.map((event) =>
      'id' in event && event.id === ids[1] && 'category' in event ? { ...event, category: '' } : event,
    );
    expect(await one.events.read()).toEqual(stored);
    expect(await two.events.read({ after: numbers[9]! })).toEqual(stored.slice(10));
  });

  it('say what was written, by whom and through which surface, and never the text', async () => {
    const workspace = testWorkspace();
    const client = workspace.open({ via: 'cli' });
    const { memory } = client.agent({ name: 'alice' });
    const { id } = await memory.add({ content: 'xylophone', category: 'music', tags: ['kazoo'] });
    await memory.update(id, { content: 'vibraphone' });
    await memory.undo(id);
    await memory.update(id, { expiresAt: workspace.clock.now() });
    const events = await client.events.read();
    expect(events).toMatchObject([
      {
        type: 'memory.wrote',
        change: 'added',
        version: 1,
        id,
        agent: 'alice',
        via: 'cli',
        category: 'music',
      },
      { type: 'memory.wrote', change: 'updated', version: 2 },
      { type: 'memory.wrote', change: 'undone', version: 3 },
      { type: 'memory.wrote', change: 'expired', version: 4 },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/phone|kazoo/);
  });

  it('stay numbered upwards after closing and opening again', async () => {
    const workspace = testWorkspace();
    const first = workspace.open();
    await first.agent({ name: 'alice' }).memory.add({ content: 'one' });
    const [before] = await first.events.read();
    await first.close();
    const second = workspace.open();
    await second.agent({ name: 'alice' }).memory.add({ content: 'two' });
    const [after] = await second.events.read({ after: before!.seq });
    expect(after).toMatchObject({ type: 'memory.wrote', seq: before!.seq + 1 });
  });

  it('do not disturb a write when a listener throws', async () => {
    const errors: unknown[] = [];
    const { client, memory } = testAgent({ onListenerError: (error) => errors.push(error) });
    const broken = new Error('broken listener');
    client.events.subscribe(() => {
      throw broken;
    });
    expect(await memory.add({ content: 'stored all the same' })).toMatchObject({ outcome: 'added' });
    expect(errors).toEqual([broken]);
  });

  it('are not heard after unsubscribing, and can be read by type and agent', async () => {
    const { client, memory } = testAgent();
    const heard: string[] = [];
    const stop = client.events.subscribe((event) => heard.push(event.type));
    const { id } = await memory.add({ content: 'one' });
    stop();
    await memory.forget(id);
    await client.agent({ name: 'bob' }).memory.add({ content: 'two' });
    expect(heard).toEqual(['memory.wrote']);
    expect(await client.events.read({ types: ['memory.forgotten'] })).toMatchObject([{ id }]);
    expect(await client.events.read({ agent: 'bob' })).toMatchObject([
      { type: 'memory.wrote', agent: 'bob' },
    ]);
    expect(await client.events.read({ limit: 1 })).toHaveLength(1);
  });
});

describe('closing and roles', () => {
  it('finishes updates and forgets that were asked for before', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const { memory } = client.agent({ name: 'alice' });
    const kept = await memory.add({ content: 'one' });
    const gone = await memory.add({ content: 'two' });
    const calls = [memory.update(kept.id, { content: 'three' }), memory.forget(gone.id)];
    await client.close();
    await Promise.all(calls);
    const again = workspace.open().agent({ name: 'alice' });
    expect((await again.memory.list()).map(({ content }) => content)).toEqual(['three']);
  });

  it('refuses a role that is not one of an agent', () => {
    for (const role of ['admin', 'reeder', '']) {
      expect(() =>
        testWorkspace()
          .open()
          .agent({ name: 'alice', role: role as 'lead' }),
      ).toThrow(/role must be one of/);
    }
  });
});
