/** A random history of records, searched through Qdrant and by the main engine alone: the answers are compared. */
import { expect, onTestFinished } from 'vitest';
import { withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { IndexedRecordStore } from '../../../src/drivers/qdrant/record-store.ts';
import { SOURCES } from '../../../src/kernel/record.ts';
import type { Viewer } from '../../../src/kernel/scope.ts';
import type { RecordDraft, RecordFilter, VectorQuery } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import {
  ADMIN,
  ALICE,
  addRecord,
  BOB,
  context,
  START,
  updateRecord,
} from '../../../src/testing/conformance/drafts.ts';
import { type SeededRandom, seededRandom } from '../../../src/testing/index.ts';
import { at, PREFIX, settled } from './workbench.ts';

/** Whose main engine refuses to search: what is found was found by Qdrant. */
export function searchedByQdrant(main: Storage, url: string): Storage {
  const { vectors } = main.records;
  const refusing = {
    search: () => Promise.reject(new Error('The main engine was asked.')),
    similarities: vectors.similarities.bind(vectors),
    waiting: vectors.waiting.bind(vectors),
    save: vectors.save.bind(vectors),
    backlog: vectors.backlog.bind(vectors),
  };
  const records = new IndexedRecordStore(main.records, {
    vectors: refusing,
    findText: async () => undefined,
    nudge: () => {},
  });
  const storage = withQdrant({ ...main, records }, { url, prefix: PREFIX, patienceMs: 20_000 });
  onTestFinished(() => storage.close());
  return storage;
}

export const VIEWERS: readonly Viewer[] = [ADMIN, ALICE, BOB, { role: 'lead' }];
const CATEGORIES = ['fact', 'preference', 'to do, soon', 'half \ud83d', ''];
const TAGS = ['red', 'green', 'very "blue"', 'ünï'];
const THREADS = [null, 'thread/1', 'thread/2'];

const pick = <T>(random: SeededRandom, from: readonly T[]): T => random.pick(from);

export async function addAnything(
  storage: Storage,
  random: SeededRandom,
  fields: Partial<RecordDraft> = {},
): Promise<string> {
  const time = START - Math.floor(random.next() * 1_000);
  const { id } = await addRecord(
    storage.records,
    {
      agent: pick(random, ['alice', 'bob']),
      scope: pick(random, ['agent', 'swarm']),
      source: pick(random, SOURCES),
      category: pick(random, CATEGORIES),
      confidence: Math.round(random.next() * 100) / 100,
      tags: TAGS.filter(() => random.next() < 0.4),
      pinned: random.next() < 0.3,
      thread: pick(random, THREADS),
      validFrom: random.next() < 0.3 ? time - 500 : null,
      expiresAt: random.next() < 0.4 ? START + Math.floor(random.next() * 20) - 10 : null,
      // Whole degrees, so that some are equally near.
      embedding: at(Math.floor(random.next() * 180)),
      ...fields,
    },
    time,
  );
  return id;
}

export function anyFilter(random: SeededRandom): RecordFilter {
  const maybe = <T extends RecordFilter>(filter: () => T): T | object =>
    random.next() < 0.25 ? filter() : {};
  return {
    ...maybe(() => ({ categories: CATEGORIES.filter(() => random.next() < 0.5) })),
    ...maybe(() => ({ sources: SOURCES.filter(() => random.next() < 0.6) })),
    ...maybe(() => ({ scopes: [pick(random, ['agent', 'swarm'] as const)] })),
    ...maybe(() => ({ tags: TAGS.filter(() => random.next() < 0.3) })),
    ...maybe(() => ({ agent: pick(random, ['alice', 'bob', 'nobody']) })),
    ...maybe(() => ({ minConfidence: pick(random, [0, 0.25, 0.5, 0.77]) })),
    ...maybe(() => ({ createdSince: START - Math.floor(random.next() * 1_000) })),
    ...maybe(() => ({ createdBefore: START - Math.floor(random.next() * 1_000) })),
    ...maybe(() => ({ pinned: random.next() < 0.5 })),
    ...maybe(() => ({ thread: pick(random, ['thread/1', 'thread/2', 'thread/3']) })),
    ...maybe(() => ({ heldAt: START - Math.floor(random.next() * 1_500) })),
  };
}

const anyQuery = (random: SeededRandom): VectorQuery => ({
  viewer: pick(random, VIEWERS),
  now: START + Math.floor(random.next() * 20) - 10,
  filter: anyFilter(random),
  embedding: at(Math.floor(random.next() * 360)),
  limit: pick(random, [1, 3, 10, 1_000]),
});

/** Another state of one of the records. */
export async function changeAnything(
  { records }: Storage,
  ids: readonly string[],
  random: SeededRandom,
  text: (change: number) => string = String,
): Promise<void> {
  const id = pick(random, ids);
  const change = random.next();
  const owner = (await records.get(id, ADMIN, START))!.agent === 'bob' ? BOB : ALICE;
  try {
    if (change < 0.15) await records.forget(id, context(owner));
    else if (change < 0.4)
      await updateRecord(records, id, { scope: pick(random, ['agent', 'swarm']) }, START, owner);
    else if (change < 0.6) await updateRecord(records, id, { tags: [pick(random, TAGS)] }, START, owner);
    else if (change < 0.8)
      await updateRecord(
        records,
        id,
        { content: `new ${text(change)}`, embedding: at(change * 360) },
        START,
        owner,
      );
    else await updateRecord(records, id, { content: `bare ${text(change)}` }, START, owner);
  } catch (error) {
    // Forgotten before, or a result of a swarm, which nobody changes.
    expect(error).toMatchObject({ code: expect.stringMatching(/FORGOTTEN|FORBIDDEN/) });
  }
}

/** Also while something changes that is not carried yet. */
export async function findsTheSame(storage: Storage, plain: Storage): Promise<void> {
  const random = seededRandom(Number(process.env.KEEPSAKE_SEED ?? 20_261_117));
  const ids = await Promise.all(Array.from({ length: 250 }, () => addAnything(storage, random)));
  await settled(storage);
  for (let i = 0; i < 200; i++) {
    const query = anyQuery(random);
    const expected = await plain.records.vectors.search(query);
    const found = await storage.records.vectors.search(query);
    expect(found, `seed ${random.seed}, query ${i}: ${JSON.stringify(query)}`).toEqual(expected);
    if (i % 3 === 0) await changeAnything(storage, ids, random);
    if (i % 50 === 0) await settled(storage);
  }
}
