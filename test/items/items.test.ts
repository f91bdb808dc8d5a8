/** Items through the SDK, in this process and through a server: names, filters, search, rights, archives. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remoteClient, temporaryClient } from '../adapters/support.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const put = (namespace: string[], key: string, value: object, texts: string[] = []) =>
  ({ op: 'put', namespace, key, value: value as { [key: string]: never }, texts }) as const;

describe.each([
  ['in this process', async () => temporaryClient()],
  ['through a server', remoteClient],
])('items %s', (_, open) => {
  it('keeps 230 values under exact keys, and finds those that a filter means', async () => {
    const client = await open();
    const { items } = client.agent({ name: 'alice' });
    const many = Array.from({ length: 230 }, (_, i) => put(['docs'], `k${i}`, { i, text: 'the same' }));
    await items.write(many);
    const found = await items.get(['docs'], ['k229', 'none', 'k0']);
    expect(found.map(({ key, value }) => [key, value])).toEqual([
      ['k0', { i: 0, text: 'the same' }],
      ['k229', { i: 229, text: 'the same' }],
    ]);
    const page = { namespace: ['docs'], filter: { i: { $gte: 100, $lt: 110 }, text: 'the same' } };
    const some = await items.list({ ...page, limit: 3, offset: 8 });
    expect(some.map(({ key }) => key)).toEqual(['k108', 'k109']);
    expect(await items.list({ namespace: ['docs'], filter: { i: { $ne: 1 } }, limit: 1000 })).toHaveLength(
      229,
    );
    await expect(items.list({ filter: { i: { $in: [1] } } })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await items.list({ newest: true, limit: 1 })).toMatchObject([{ key: 'k229', agent: 'alice' }]);
    await expect(items.write([{ ...many[0]!, ifRevision: null }])).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('ranks every item of a place by meaning and words, those without texts last', async () => {
    const client = await open();
    const { items } = client.agent({ name: 'alice' });
    await items.write([
      put(['m', 'u1'], 'none', { kind: 'x' }),
      put(['m', 'u1'], 'food', { kind: 'a' }, ['Anna never eats meat, only vegetables']),
      put(['m', 'u1'], 'car', { kind: 'b' }, ['The car is blue', 'She drives to work']),
      put(['m', 'u2'], 'food', { kind: 'a' }, ['Anna never eats meat, only vegetables']),
    ]);
    const hits = await items.search('what does Anna eat', { namespace: ['m', 'u1'] });
    expect(hits.map(({ key }) => key)).toEqual(['food', 'car', 'none']);
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score!);
    expect(hits[2]!.score).toBeNull();
    const both = await items.search('what does Anna eat', { namespace: ['m'], filter: { kind: 'a' } });
    expect(both.map(({ namespace }) => namespace[1])).toEqual(['u1', 'u2']);
    const second = await items.search('what does Anna eat', { namespace: ['m'], limit: 1, offset: 1 });
    expect(second.map(({ namespace }) => namespace[1])).toEqual(['u2']);
  });

  it('lists namespaces by their beginning, end and depth', async () => {
    const client = await open();
    const { items } = client.agent({ name: 'alice' });
    const places = [
      ['a', 'b', 'x'],
      ['a', 'c', 'x'],
      ['a', 'c', 'y'],
      ['d', 'x'],
    ];
    await items.write(places.map((place) => put(place, 'k', {})));
    expect(await items.namespaces({ prefix: ['a', '*', 'x'] })).toEqual([places[0], places[1]]);
    expect(await items.namespaces({ suffix: ['x'] })).toEqual([places[0], places[1], places[3]]);
    expect(await items.namespaces({ maxDepth: 1 })).toEqual([['a'], ['d']]);
    expect(await items.namespaces({ prefix: ['a'], maxDepth: 2, offset: 1 })).toEqual([['a', 'c']]);
  });

  it('keeps agents apart; the owner sees the items of all', async () => {
    const client = await open();
    await client.agent({ name: 'alice' }).items.write([put(['n'], 'k', { of: 'alice' })]);
    const bob = client.agent({ name: 'bob' });
    expect(await bob.items.list()).toEqual([]);
    await expect(bob.items.list({ agent: 'alice' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await bob.items.write([put(['n'], 'k', { of: 'bob' }), { op: 'clear', namespace: ['n'] }]);
    expect(await client.items.list()).toMatchObject([{ agent: 'alice', value: { of: 'alice' } }]);
    expect(await client.items.list({ agent: 'bob' })).toEqual([]);
  });
});

it('an archive carries items, once, and a read-only memory refuses them', async () => {
  const from = testWorkspace();
  const source = from.open();
  const { items } = source.agent({ name: 'alice' });
  await items.write([put(['n', 'm'], 'k', { a: [1] }, ['findable']), put(['n'], 'other', {})]);
  const file = join(from.folder, 'all.keepsake');
  expect(await source.export(file)).toMatchObject({ items: 2 });
  const to = testWorkspace();
  const target = to.open();
  expect(await target.import(file, { dryRun: true })).toMatchObject({ items: { added: 2, present: 0 } });
  const taken = await target.import(file);
  expect(taken).toMatchObject({ items: { added: 2, present: 0 }, conflicts: [] });
  expect(await target.import(file)).toMatchObject({ items: { added: 0, present: 2 } });
  const other = to.open({ config: { memory: { readOnly: true } } }).agent({ name: 'alice' });
  const hits = await other.items.search('findable');
  expect(hits).toMatchObject([{ key: 'k', value: { a: [1] } }, { score: null }]);
  await expect(other.items.write([put(['n'], 'x', {})])).rejects.toMatchObject({ code: 'READ_ONLY' });
});
