/**
 * The working memory against a simple reference: several clients do things at the same time, and what came of it must be
 * what comes of doing the same things one after the other, in the order of the versions that they were told.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis } from '../../src/drivers/redis/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { StateStore } from '../../src/ports/state-store.ts';
import { RunState, STATE_LEASE } from '../../src/working/index.ts';
import { type RedisServer, redisServer } from '../drivers/redis/server.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Document = { [key: string]: Json };

const KEYS = ['a', 'b', 'list', 'x/y~z'];
const key = fc.constantFrom(...KEYS);
const path = fc.array(key, { minLength: 1, maxLength: 3 });
const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
);
const plain = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(key, leaf, { maxKeys: 3 }));
const value = plain.map((given) => JSON.parse(JSON.stringify(given)) as Json);

const step = fc.oneof(
  fc.record({ op: fc.constant('set' as const), path, value }),
  fc.record({ op: fc.constant('append' as const), path: fc.constant(['list']), value }),
  fc.record({ op: fc.constant('append' as const), path, value }),
  fc.record({ op: fc.constant('increment' as const), path, value: fc.integer({ min: -5, max: 5 }) }),
  fc.record({ op: fc.constant('delete' as const), path, value: fc.constant(null) }),
  fc.record({
    op: fc.constant('merge' as const),
    path: fc.constant([]),
    value: fc.dictionary(key, value, { maxKeys: 3 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** As simple as can be: changed in place, one after the other. False when it is refused. */
function refer(document: Document, { op, path: steps, value: given }: Step): boolean {
  if (op === 'merge') {
    mergeInto(document, given as Document);
    return true;
  }
  const last = steps.at(-1)!;
  let parent: Document = document;
  const made: (() => void)[] = [];
  for (const name of steps.slice(0, -1)) {
    const child: Json | undefined = parent[name];
    if (child === undefined) {
      if (op === 'delete') return true;
      const next: Document = {};
      const above = parent;
      made.push(() => {
        above[name] = next;
      });
      parent = next;
    } else if (typeof child !== 'object' || child === null || Array.isArray(child)) {
      return false;
    } else {
      parent = child;
    }
  }
  const present = parent[last];
  if (op === 'append' && present !== undefined && !Array.isArray(present)) return false;
  if (op === 'increment' && present !== undefined && typeof present !== 'number') return false;
  for (const make of made) make();
  if (op === 'set') parent[last] = structuredClone(given) as Json;
  else if (op === 'append')
    parent[last] = [...((present as Json[] | undefined) ?? []), structuredClone(given) as Json];
  else if (op === 'increment') parent[last] = ((present as number | undefined) ?? 0) + (given as number);
  else delete parent[last];
  return true;
}

function mergeInto(target: Document, patch: Document): void {
  for (const [name, given] of Object.entries(patch)) {
    const present = target[name];
    if (given === null) delete target[name];
    else if (typeof given === 'object' && !Array.isArray(given)) {
      if (typeof present !== 'object' || present === null || Array.isArray(present)) target[name] = {};
      mergeInto(target[name] as Document, given);
    } else target[name] = structuredClone(given);
  }
}

function act(state: RunState, { op, path: steps, value: given }: Step): Promise<{ version: number }> {
  if (op === 'set') return state.set(steps, given);
  if (op === 'append') return state.append(steps, given);
  if (op === 'increment') return state.increment(steps, given as number);
  if (op === 'merge') return state.merge(given);
  return state.delete(steps);
}

let count = 0;

async function check(stores: readonly StateStore[], scripts: readonly (readonly Step[])[]): Promise<void> {
  const run = `run_${count++}`;
  const clock = { now: () => 1_772_366_400_000 };
  const at = clock.now();
  await stores[0]!.create({ run, document: { list: [] }, by: 'lead', at, leaseUntil: at + STATE_LEASE });
  const done: { version: number; step: Step; by: string }[] = [];
  await Promise.all(
    scripts.map(async (steps, i) => {
      const by = `client-${i}`;
      const state = new RunState({ store: stores[i % stores.length]!, clock, run, by });
      let last = 0;
      for (const each of steps) {
        try {
          const { version } = await act(state, each);
          expect(version).toBeGreaterThan(last);
          last = version;
          done.push({ version, step: each, by });
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_INPUT' });
        }
      }
    }),
  );
  const order = done.toSorted((a, b) => a.version - b.version);
  expect(order.map(({ version }) => version)).toEqual(order.map((_, i) => i + 2));
  const reference: Document = { list: [] };
  for (const { step: each } of order) expect([each, refer(reference, each)]).toEqual([each, true]);
  for (const store of stores) {
    const { version, document } = (await store.read(run))!;
    expect(document).toEqual(reference);
    expect(version).toBe(order.length + 1);
  }
  const feed = await stores[0]!.changes({ run, after: 1, limit: 1_000 });
  expect(feed.map(({ version, op, by }) => ({ version, op, by }))).toEqual(
    order.map(({ version, step: { op }, by }) => ({ version, op, by })),
  );
  await stores[0]!.remove(run);
}

const scripts = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });
const property = (stores: () => readonly StateStore[]) =>
  fc.assert(
    fc.asyncProperty(scripts, (given) => check(stores(), given)),
    { numRuns: 100 },
  );

describe('on SQLite', () => {
  const { folder, remove } = makeFolder();
  let storages: Awaited<ReturnType<typeof openSqlite>>[] = [];
  beforeAll(async () => {
    const file = join(folder, 'keepsake.db');
    storages = [await openSqlite({ file }), await openSqlite({ file })];
  });
  afterAll(async () => {
    await Promise.all(storages.map((storage) => storage.close()));
    remove();
  });
  it('C-07 is what one after the other would have made', () =>
    property(() => storages.map(({ state }) => state)));
});

describe('on Redis', () => {
  let server: RedisServer;
  let storages: Awaited<ReturnType<typeof openRedis>>[] = [];
  beforeAll(async () => {
    server = await redisServer();
    storages = [await openRedis(server), await openRedis(server)];
  });
  afterAll(async () => {
    await Promise.all(storages.map((storage) => storage.close()));
    await server.stop();
  });
  it('C-07 is what one after the other would have made', () =>
    property(() => storages.map(({ state }) => state)));
});
