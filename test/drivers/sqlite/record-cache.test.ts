/** Records that a store keeps in memory are those of the database, whoever changed them and in whatever way. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { MemoryRecord } from '../../../src/kernel/record.ts';
import type { RecordStore } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import {
  ADMIN,
  ALICE,
  addRecord,
  context,
  NO_CAP,
  recordDraft,
  START,
  updateRecord,
} from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const MODEL = 'test:model@1';
const embedding = { model: MODEL, vector: Float32Array.from([1, 0, 0, 0]) };

async function open(file: string): Promise<Storage> {
  const storage = await openSqlite({ file, textSearch: 'resident' });
  onTestFinished(() => storage.close());
  return storage;
}

/** By words and by vectors. */
async function seen(records: RecordStore, now = START + 50): Promise<(readonly MemoryRecord[])[]> {
  const query = { viewer: ADMIN, now, filter: {}, limit: 100 };
  const byId = (found: readonly { readonly record: MemoryRecord }[]) =>
    found.map(({ record }) => record).sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    byId(await records.searchText({ ...query, terms: ['word'] })),
    byId(await records.vectors.search({ ...query, embedding })),
  ];
}

/** Each changes something of a record; `first` was there before `second`. */
const CHANGES: Readonly<
  Record<string, (storage: Storage, first: MemoryRecord, second: MemoryRecord) => Promise<unknown>>
> = {
  'an update': ({ records }, { id }) => updateRecord(records, id, { category: 'new', tags: ['t'] }),
  'another text': ({ records }, { id }) => updateRecord(records, id, { content: 'word after', embedding }),
  'another scope': ({ records }, { id }) => updateRecord(records, id, { scope: 'swarm' }),
  'an end': ({ records }, { id }) => updateRecord(records, id, { expiresAt: START + 20 }),
  'an update that is taken back': async ({ records }, { id }) => {
    await updateRecord(records, id, { pinned: true });
    await records.revert(id, 1, { maxFacts: NO_CAP }, context());
  },
  'a forget': ({ records }, { id }) => records.forget(id, context()),
  'an access': ({ records }, { id }) => records.countAccess([id], 'access', START + 7),
  'an injection': ({ records }, { id }) => records.countAccess([id], 'injection', START + 7),
  'a successor': ({ records }, { id }) =>
    records.add(
      recordDraft({ content: 'word instead', embedding }),
      { maxFacts: NO_CAP, supersedes: id },
      context(),
    ),
  'a cap': ({ records }) =>
    records.add(recordDraft({ content: 'word too many', embedding }), { maxFacts: 2 }, context()),
  'a copy of another store': async ({ copies }, { id }) => {
    const [copy] = (await copies!.readFull({ limit: 10 })).filter((each) => each.id === id);
    await copies!.mirror([{ ...copy!, metadata: { from: 'elsewhere' } }]);
  },
};

test.each(Object.keys(CHANGES))('%s is seen at once, by whoever made it and by others', async (name) => {
  const file = join(temporaryFolder(), 'k.db');
  const [storage, other] = [await open(file), await open(file)];
  const fields = { embedding, metadata: { deep: { a: 1 } } };
  const first = await addRecord(storage.records, { content: 'word before', ...fields });
  const second = await addRecord(storage.records, { content: 'word beside', ...fields });
  const before = await seen(storage.records);
  expect(before.map((found) => found.map(({ id }) => id))).toEqual(
    Array.from({ length: 2 }, () => [first.id, second.id]),
  );
  expect(await seen(other.records)).toEqual(before);
  await CHANGES[name]!(storage, first, second);
  const fresh = await seen((await open(file)).records);
  expect(fresh).not.toEqual(before);
  expect(await seen(storage.records)).toEqual(fresh);
  expect(await seen(other.records)).toEqual(fresh);
});

test('what is over is not found, whenever it was read', async () => {
  const { records } = await open(join(temporaryFolder(), 'k.db'));
  await addRecord(records, { content: 'word of today', embedding, expiresAt: START + 100 });
  for (const [now, count] of [
    [START + 99, 1],
    [START + 100, 0],
    [START + 99, 1],
  ] as const) {
    const [words, near] = await seen(records, now);
    expect([words?.length, near?.length]).toEqual([count, count]);
    expect(words?.every(({ state, expiryReason }) => state === 'live' && expiryReason === null)).toBe(true);
  }
});

test('a write that fails leaves what is kept as the database has it', async () => {
  const { records } = await open(join(temporaryFolder(), 'k.db'));
  const { id } = await addRecord(records, { content: 'word before', embedding });
  const before = await seen(records);
  const failing = records.update(id, { pinned: true }, { maxFacts: NO_CAP, ifVersion: 9 }, context(ALICE));
  await expect(failing).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await seen(records)).toEqual(before);
});
