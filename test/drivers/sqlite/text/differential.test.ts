/** The index in memory answers exactly as FTS5 does, scores included, whoever wrote whatever in whichever order. */

import { expect, it } from 'vitest';
import type { ResidentSearch } from '../../../../src/drivers/sqlite/text/index.ts';
import { ONLY_IN_LABELS } from '../../../../src/kernel/term-count.ts';
import type { RecordFilter } from '../../../../src/ports/record-store.ts';
import type { Storage } from '../../../../src/ports/storage.ts';
import { countTerms } from '../../../../src/records/search/term-counts.ts';
import {
  ADMIN,
  ALICE,
  addRecord,
  BOB,
  context,
  NO_CAP,
  START,
} from '../../../../src/testing/conformance/drafts.ts';
import { type SeededRandom, seededRandom } from '../../../../src/testing/index.ts';
import { wordMaker } from '../../../fixtures/word-maker.ts';
import { answer, newFile, open, question, residentAnswer, residentOn, textOf } from './fixture.ts';

const VIEWERS = [ADMIN, ALICE, BOB, { role: 'reader' }] as const;
const FILTERS: readonly RecordFilter[] = [
  {},
  {},
  { agent: 'alice' },
  { agent: 'bob' },
  { scopes: ['swarm'] },
  { scopes: ['agent'] },
  { categories: ['rare'] },
  { tags: ['w3'] },
  { sources: ['manual', 'knowledge'] },
  { sources: ['extracted'], agent: 'alice' },
];

function randomQuestion(random: SeededRandom, word: () => string) {
  const terms = [...new Set(Array.from({ length: random.pick([1, 2, 3, 8, 60]) }, word))];
  return question(terms, {
    viewer: random.pick(VIEWERS),
    filter: random.pick(FILTERS),
    limit: random.pick([1, 5, 60]),
    now: random.pick([START, START + 10]),
  });
}

it.each([1, 2, 3, 4])('random histories of two writers, seed %i', async (seed) => {
  const file = newFile();
  const random = seededRandom(seed);
  const word = wordMaker(random, 60);
  const text = () => textOf(word, random.pick([0, 1, 5, 15, 15, 200]));
  const [ours, theirs] = [await open(file, 'resident'), await open(file, 'fts5')];
  const { resident } = residentOn(file);
  const ids: string[] = [];

  const add = async () => {
    const { records } = random.pick([ours, theirs]);
    const { id } = await addRecord(records, {
      content: `${text()} ${ids.length}`,
      agent: random.pick(['alice', 'bob']),
      scope: random.pick(['agent', 'agent', 'swarm']),
      source: random.pick(['manual', 'extracted', 'knowledge']),
      category: random.pick(['fact', 'rare', 'w1']),
      tags: random.pick([[], ['w3'], ['w3', 'w3 w4'], ['w9']]),
      expiresAt: random.pick([null, null, START + 5]),
    });
    ids.push(id);
  };
  const change = async () => {
    const { records } = random.pick([ours, theirs]);
    const patch = random.pick([
      { content: `${text()} changed` },
      { scope: random.pick(['agent', 'swarm'] as const) },
      { tags: random.pick([[], ['w3'], ['w5', 'w6']]) },
      { confidence: random.next() },
    ]);
    await records
      .update(random.pick(ids), patch, { maxFacts: NO_CAP }, context(ADMIN))
      .catch((error) => expect(error).toMatchObject({ code: 'FORGOTTEN' }));
  };
  const revert = async () => {
    await random
      .pick([ours, theirs])
      .records.revert(random.pick(ids), 1, { maxFacts: NO_CAP }, context(ADMIN))
      .catch((error) => expect(error).toMatchObject({ code: 'FORGOTTEN' }));
  };
  const forget = async () => {
    await random.pick([ours, theirs]).records.forget(random.pick(ids), context(ADMIN));
  };

  await Promise.all(Array.from({ length: 150 }, add));
  let matches = 0;
  for (let step = 0; step < 60; step++) {
    const size = random.pick([1, 1, 3]);
    for (let i = 0; i < size; i++) await random.pick([add, add, change, change, revert, forget])();
    const query = randomQuestion(random, word);
    const right = await answer(theirs, query);
    expect(await answer(ours, query)).toEqual(right);
    expect(residentAnswer(resident, query)).toEqual(right);
    const statistics = await theirs.records.termStatistics(query.terms, query.viewer);
    expect(resident.statistics(query.terms, query.viewer)).toEqual(statistics);
    await expectTable(resident, theirs, ids, query.terms);
    matches += right.length;
  }
  expect(matches).toBeGreaterThan(200);
});

/** The table that the index gives is what the texts themselves say. */
async function expectTable(
  resident: ResidentSearch,
  { records }: Storage,
  ids: readonly string[],
  terms: readonly string[],
): Promise<void> {
  const distinct = [...new Set(terms)];
  const { lengths, counts } = resident.table(ids, distinct)!;
  const stored = await Promise.all(ids.map((id) => records.get(id, ADMIN, START)));
  const counted = stored.map((record) => (record?.state === 'forgotten' ? undefined : countTerms(record!)));
  expect([...lengths]).toEqual(counted.map((each) => each?.length ?? -1));
  expect([...counts]).toEqual(
    counted.flatMap((each) =>
      distinct.map((term) => (each?.labels.has(term) ? ONLY_IN_LABELS : (each?.counts.get(term) ?? 0))),
    ),
  );
}

it('many records of one length, where scores are often equal and common words are skipped', async () => {
  const file = newFile();
  const random = seededRandom(11);
  const word = wordMaker(random, 4_000);
  const storage = await open(file);
  for (let i = 0; i < 6; i++) {
    await Promise.all(
      Array.from({ length: 500 }, (_, j) =>
        addRecord(storage.records, {
          content: `all ${textOf(word, 12)}`,
          agent: j % 5 === 0 ? 'bob' : 'alice',
          category: j === 0 ? 'rare' : 'fact',
        }),
      ),
    );
  }
  const { resident } = residentOn(file);
  for (let i = 0; i < 150; i++) {
    const query = randomQuestion(random, random.below(3) === 0 ? () => 'all' : word);
    const asked = { ...query, terms: [...new Set([...query.terms, random.pick(['all', 'w0', word()])])] };
    expect(residentAnswer(resident, asked)).toEqual(await answer(storage, asked));
  }
});

it('a record in which a word stands thousands of times, and one with more words than fit on a page', async () => {
  const file = newFile();
  const storage = await open(file);
  const many = (count: number, of: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => of(i)).join(' ');
  await addRecord(storage.records, { content: `${many(1_023, () => 'echo')} one` });
  await addRecord(storage.records, { content: `${many(1_024, () => 'echo')} two`, tags: ['echo'] });
  const long = await addRecord(storage.records, { content: `${many(5_000, () => 'echo')} three` });
  await addRecord(storage.records, { content: 'four', tags: [many(9, () => 'echo')] });
  await addRecord(storage.records, { content: many(70_000, (i) => `n${i}`) });
  await addRecord(storage.records, { content: 'echo n69999' });
  const { resident } = residentOn(file);
  const query = question(['echo', 'n69999', 'three']);
  expect(residentAnswer(resident, query)).toHaveLength(6);
  expect(residentAnswer(resident, query)).toEqual(await answer(storage, query));
  // Where a number does not fit into the index, the text itself has to be counted.
  const few = await addRecord(storage.records, { content: 'echo echo five', tags: ['echo', 'six'] });
  const { lengths, counts } = resident.table([long.id, few.id, 'mem_none'], ['echo', 'six'])!;
  expect([...lengths]).toEqual([-1, 3, -1]);
  expect([...counts.slice(2, 4)]).toEqual([2, ONLY_IN_LABELS]);
  await storage.records.forget(few.id, context(ADMIN));
  await storage.records.forget(long.id, context(ADMIN));
  expect(residentAnswer(resident, query)).toHaveLength(5);
  expect(residentAnswer(resident, query)).toEqual(await answer(storage, query));
});
