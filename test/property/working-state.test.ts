/**
 * The working memory against a simple reference: several clients do things at the same time, and what came of it must be
 * what comes of doing the same things one after the other, in the order of the versions that they were told.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis } from '../../src/drivers/redis/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { createClient } from '../../src/index.ts';
import { NO_USAGE } from '../../src/ports/run-store.ts';
import type { StateStore } from '../../src/ports/state-store.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { type PatchOperation, RunState, type SharedState, STATE_LEASE } from '../../src/working/index.ts';
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

/** A key of the document, sometimes a place in the list. */
const place = fc.oneof(
  path.map((keys) => `/${keys.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`),
  fc.constantFrom('/list/-', '/list/0', '/list/1', '/a/b', '/a'),
);
const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom('add' as const, 'replace' as const, 'test' as const), path: place, value }),
  fc.record({ op: fc.constant('remove' as const), path: place }),
  fc.record({ op: fc.constantFrom('move' as const, 'copy' as const), from: place, path: place }),
) as fc.Arbitrary<PatchOperation>;

const change = fc.oneof(
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
  fc.record({
    op: fc.constant('patch' as const),
    path: fc.constant([]),
    value: fc.array(operation, { minLength: 1, maxLength: 2 }) as unknown as fc.Arbitrary<Json[]>,
  }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
/** `fresh`: only if nobody was faster since a look. `stale`: only if the state is as it was at the beginning. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: fc.constant('change' as const) },
      change,
      when: fc.constantFrom('always', 'always', 'fresh', 'stale'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('get' as const), path }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** As simple as can be: changed in place, one after the other. False when it is refused. */
function refer(document: Document, { op, path: steps, value: given }: Change): boolean {
  if (op === 'merge') {
    mergeInto(document, given as Document);
    return true;
  }
  if (op === 'patch') return referPatch(document, given as unknown as PatchOperation[]);
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

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

function at(document: Json, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Document)[name]
        : undefined,
    document,
  );
}

/** RFC 6902 on a copy, which takes the place of the document when all of it could be done. */
function referPatch(document: Document, patch: readonly PatchOperation[]): boolean {
  const copy = structuredClone(document);
  const take = (pointer: string): boolean => {
    const keys = keysOf(pointer);
    if (at(copy, keys) === undefined) return false;
    const parent = at(copy, keys.slice(0, -1)) as Document | Json[];
    if (Array.isArray(parent)) parent.splice(Number(keys.at(-1)), 1);
    else delete parent[keys.at(-1)!];
    return true;
  };
  const add = (pointer: string, given: Json): boolean => {
    const keys = keysOf(pointer);
    const last = keys.at(-1)!;
    const parent = at(copy, keys.slice(0, -1));
    if (Array.isArray(parent)) {
      const index = last === '-' ? parent.length : /^\d+$/.test(last) ? Number(last) : Number.NaN;
      if (!(index <= parent.length)) return false;
      parent.splice(index, 0, given);
      return true;
    }
    if (typeof parent !== 'object' || parent === null) return false;
    parent[last] = given;
    return true;
  };
  for (const each of patch) {
    if ('from' in each) {
      const moved = structuredClone(at(copy, keysOf(each.from)));
      if (moved === undefined || (each.op === 'move' && each.path.startsWith(`${each.from}/`))) return false;
      if (each.op === 'move' && !take(each.from)) return false;
      if (!add(each.path, moved)) return false;
    } else if (each.op === 'remove') {
      if (!take(each.path)) return false;
    } else if (each.op === 'add') {
      if (!add(each.path, structuredClone(each.value) as Json)) return false;
    } else {
      const keys = keysOf(each.path);
      const found = at(copy, keys);
      if (found === undefined) return false;
      if (each.op === 'test' && !isDeepStrictEqual(found, each.value)) return false;
      if (each.op === 'replace')
        (at(copy, keys.slice(0, -1)) as Document)[keys.at(-1)!] = structuredClone(each.value) as Json;
    }
  }
  for (const name of Object.keys(document)) delete document[name];
  Object.assign(document, copy);
  return true;
}

function act(state: SharedState, { op, path: steps, value: given }: Change, options: { ifVersion?: number }) {
  if (op === 'set') return state.set(steps, given, options);
  if (op === 'append') return state.append(steps, given, options);
  if (op === 'increment') return state.increment(steps, given as number, options);
  if (op === 'merge') return state.merge(given, options);
  if (op === 'patch') return state.patch(given as unknown as PatchOperation[], options);
  return state.remove(steps, options);
}

/** What a client was told: a change that made a version, or what it saw at one. */
interface Told {
  readonly version: number;
  readonly by: string;
  readonly change?: Change;
  readonly seen?: { readonly path: readonly string[]; readonly value: Json | undefined };
}

async function perform(state: SharedState, each: Step, by: string): Promise<Told | undefined> {
  if (each.kind === 'get') {
    const { version, value: found } = await state.look(each.path);
    return { version, by, seen: { path: each.path, value: found as Json | undefined } };
  }
  const ifVersion =
    each.when === 'always' ? undefined : each.when === 'stale' ? 1 : (await state.read()).version;
  try {
    const { version } = await act(state, each.change, ifVersion === undefined ? {} : { ifVersion });
    if (ifVersion !== undefined) expect(version).toBe(ifVersion + 1);
    return { version, by, change: each.change };
  } catch (error) {
    const { code, details } = error as { code: string; details: { found?: number } };
    if (code === 'CONFLICT' && details.found !== undefined) expect(details.found).not.toBe(ifVersion);
    else
      expect([each, code]).toEqual([
        each,
        each.change.op === 'patch' && code === 'CONFLICT' ? code : 'INVALID_INPUT',
      ]);
    return undefined;
  }
}

interface Engine {
  create(run: string): Promise<void>;
  state(run: string, by: string, client: number): Promise<SharedState>;
}

let count = 0;

async function check(engine: Engine, scripts: readonly (readonly Step[])[]): Promise<void> {
  const run = `run_${count++}`;
  await engine.create(run);
  const told: Told[] = [];
  await Promise.all(
    scripts.map(async (steps, i) => {
      const by = `client-${i}`;
      const state = await engine.state(run, by, i);
      let last = 0;
      for (const each of steps) {
        const outcome = await perform(state, each, by);
        if (outcome === undefined) continue;
        // Nobody is told of the past: not after what it has seen, and not after what it has done.
        expect(outcome.version).toBeGreaterThanOrEqual(outcome.change === undefined ? last : last + 1);
        last = outcome.version;
        told.push(outcome);
      }
    }),
  );
  const done = told.filter(({ change: made }) => made !== undefined);
  const order = done.toSorted((a, b) => a.version - b.version);
  expect(order.map(({ version }) => version)).toEqual(order.map((_, i) => i + 2));
  const reference: Document = structuredClone(document) as Document;
  const history: Document[] = [{}, structuredClone(reference)];
  for (const { change: made } of order) {
    expect([made, refer(reference, made!)]).toEqual([made, true]);
    history.push(structuredClone(reference));
  }
  for (const { version, seen } of told) {
    if (seen !== undefined) expect(seen.value).toEqual(at(history[version]!, seen.path));
  }
  for (const client of [0, 1]) {
    const state = await engine.state(run, 'client-0', client);
    const { version, document } = await state.read();
    expect(document).toEqual(reference);
    expect(version).toBe(order.length + 1);
    const feed = await state.changes({ after: 1, limit: 1_000 });
    expect(feed.map(({ by, op }) => [by, op])).toEqual(order.map(({ by, change: made }) => [by, made!.op]));
  }
}

const scripts = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });

const property = (engine: () => Engine, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(scripts, (given) => check(engine(), given)),
    { numRuns },
  );

const clock = { now: () => 1_772_366_400_000 };
const document = { list: [0, 'x'], a: { b: 1 } };

function onStores(stores: () => readonly StateStore[]): Engine {
  const start = clock.now();
  return {
    create: async (run) => {
      await stores()[0]!.create({ run, document, by: 'lead', at: start, leaseUntil: start + STATE_LEASE });
    },
    state: async (run, by, client) => {
      const all = stores();
      return new RunState({ store: all[client % all.length]!, clock, run, by });
    },
  };
}

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
    property(() => onStores(() => storages.map(({ state }) => state)), 150));
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
    property(() => onStores(() => storages.map(({ state }) => state)), 150));
});

describe('over HTTP', () => {
  const { folder, remove } = makeFolder();
  const owner = createClient({ workspace: folder, config: { guard: { enabled: false } } });
  let server: Awaited<ReturnType<typeof serve>>;
  let clients: ReturnType<typeof createClient>[] = [];
  beforeAll(async () => {
    server = await serve(await owner.open(), { port: 0, version: '0.0.0' });
    const apiKey = readFileSync(server.serverKeyFile, 'utf8').trim();
    clients = [0, 1].map(() => createClient({ url: server.url, apiKey }));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
    await owner.close();
    remove();
  });
  it('C-07 is what one after the other would have made', () => {
    const participants = [0, 1, 2, 3].map((i) => ({ name: `client-${i}`, role: 'worker' as const }));
    const engine: Engine = {
      create: async (id) => {
        const at = Date.now();
        const draft = { id, swarm: 's', type: 't', task: 'x', startedAt: at, usage: NO_USAGE };
        await (await owner.open()).runs.create(
          { ...draft, participants, leaseUntil: at + STATE_LEASE, leaseMs: STATE_LEASE },
          document,
        );
      },
      state: async (run, by, client) => (await clients[client % 2]!.runs.get(run)).stateAs(by),
    };
    return property(() => engine, 25);
  });
});
