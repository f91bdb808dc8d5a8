/** What SQLite notes for an index outside: nothing until somebody follows, then every change, each with a number of its own. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../../src/drivers/sqlite/index.ts';
import type { Storage } from '../../../../src/ports/storage.ts';
import {
  ADMIN,
  addRecord,
  context,
  NO_CAP,
  START,
  updateRecord,
} from '../../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const embedding = { model: 'test:plane@1', vector: Float32Array.of(1, 0) };

async function open(): Promise<Storage> {
  const storage = await openSqlite({ file: join(temporaryFolder(), 'keepsake.db') });
  onTestFinished(() => storage.close());
  return storage;
}

/** As if an index had taken everything. */
async function carryAll({ feed }: Storage): Promise<void> {
  const changes = await feed!.waiting(1_000);
  await feed!.confirm(
    (await feed!.attach()).identity,
    changes.map(({ change }) => change),
  );
}

const waiting = async ({ feed }: Storage): Promise<string[]> =>
  (await feed!.waiting(1_000)).map(({ id }) => id);

it('nothing is noted until somebody follows, and then all that is there', async () => {
  const storage = await open();
  const { id } = await addRecord(storage.records, { embedding });
  expect([await storage.feed!.position(10), await waiting(storage)]).toEqual([undefined, []]);
  const { identity } = await storage.feed!.attach();
  expect(await storage.feed!.attach()).toEqual({ identity });
  expect(await storage.feed!.position(10)).toEqual({ identity, last: 1, waiting: [{ id, carried: 0 }] });
  expect(await storage.feed!.waiting(10)).toMatchObject([
    { id, change: 1, isFirst: true, vector: embedding },
  ]);
});

it('every change waits that an index would have to know, and an access does not', async () => {
  const storage = await open();
  const { records } = storage;
  await storage.feed!.attach();
  const { id } = await addRecord(records, { embedding, pinned: true });
  const { id: bare } = await addRecord(records);
  await carryAll(storage);
  expect(await storage.feed!.backlog()).toBe(0);
  await records.countAccess([id, bare], 'access', START);
  expect(await waiting(storage)).toEqual([]);
  const changes: (() => Promise<unknown>)[] = [
    () => updateRecord(records, id, { tags: ['new'] }),
    () => updateRecord(records, id, { scope: 'swarm' }),
    () => updateRecord(records, id, { pinned: false }),
    () => updateRecord(records, id, { expiresAt: START + 5 }),
    () => updateRecord(records, id, { content: 'other' }),
    () => records.vectors.save(embedding.model, [{ id, version: 6, vector: embedding.vector }]),
    () => records.forget(id, context()),
  ];
  for (const change of changes) {
    await change();
    expect(await waiting(storage)).toEqual([id]);
    await carryAll(storage);
  }
  expect((await records.get(id, ADMIN, START))?.forgottenAt).not.toBeNull();
});

it('what takes the place of another, or pushes it out, changes that one too', async () => {
  const storage = await open();
  await storage.feed!.attach();
  const { id: old } = await addRecord(storage.records, { embedding });
  await carryAll(storage);
  const draft = {
    id: 'mem_new',
    agent: 'alice',
    scope: 'agent',
    source: 'manual',
    category: 'fact',
  } as const;
  const rest = {
    confidence: 1,
    content: 'new',
    tags: [],
    metadata: {},
    origin: 'user',
    pinned: false,
  } as const;
  const times = { thread: null, user: null, validFrom: null, expiresAt: null };
  await storage.records.add(
    { ...draft, ...rest, ...times, embedding },
    { maxFacts: NO_CAP, supersedes: old },
    context(),
  );
  expect((await waiting(storage)).sort()).toEqual([old, 'mem_new'].sort());
  await carryAll(storage);
  await storage.records.add(
    { ...draft, ...rest, ...times, id: 'mem_third', content: 'third' },
    { maxFacts: 1 },
    context(),
  );
  expect(await waiting(storage)).toEqual(['mem_new']);
});

it('a change while an older state is carried goes on waiting', async () => {
  const storage = await open();
  const { identity } = await storage.feed!.attach();
  const { id } = await addRecord(storage.records, { embedding });
  const [first] = await storage.feed!.waiting(1);
  await updateRecord(storage.records, id, { tags: ['new'] });
  await storage.feed!.confirm(identity, [first!.change]);
  const [second] = await storage.feed!.waiting(1);
  expect(second).toMatchObject({ id, isFirst: false });
  expect(second!.change).toBeGreaterThan(first!.change);
  await storage.feed!.confirm(identity, [second!.change]);
  expect(await storage.feed!.backlog()).toBe(0);
});

it('a restore ends it: numbers of another history would mean something else', async () => {
  const storage = await open();
  const { identity } = await storage.feed!.attach();
  const { id } = await addRecord(storage.records, { embedding });
  const folder = temporaryFolder();
  await storage.maintenance.backup(join(folder, 'backup.db'));
  await storage.maintenance.restore(join(folder, 'backup.db'), {
    now: START,
    keepAs: join(folder, 'kept.db'),
  });
  expect(await storage.feed!.position(10)).toBeUndefined();
  expect((await storage.feed!.attach()).identity).not.toBe(identity);
  // Who still carries for the old one confirms nothing of the new.
  await storage.feed!.confirm(identity, [1]);
  expect(await waiting(storage)).toEqual([id]);
});
