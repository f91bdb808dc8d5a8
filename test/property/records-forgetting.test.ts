/** What a database file still says about forgotten records: nothing, in any page, however rows were moved about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { addRecord, context, messageDraft, updateRecord } from '../../src/testing/conformance/drafts.ts';
import { seededRandom } from '../../src/testing/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const CONSONANTS = [...'bcdfghjkmnpqrtvwxz'];
const LONGEST_ACCIDENT = 7;

/** Every piece of the forgotten words that is too long to be there by accident. */
function remains(data: string, forgotten: ReadonlySet<string>): string[] {
  const size = LONGEST_ACCIDENT + 1;
  const pieces = new Set<string>();
  for (const word of forgotten) {
    for (let i = 0; i + size <= word.length; i++) pieces.add(word.slice(i, i + size));
  }
  const found = new Set<string>();
  for (const [run] of data.matchAll(/[bcdfghjkmnpqrtvwxz]{8,}/g)) {
    for (let i = 0; i + size <= run.length; i++) {
      const piece = run.slice(i, i + size);
      if (pieces.has(piece)) found.add(piece);
    }
  }
  return [...found];
}

async function fillAndForget(file: string, seed: number) {
  const random = seededRandom(seed);
  const word = () => Array.from({ length: 14 }, () => random.pick(CONSONANTS)).join('');
  const { records, close } = await openSqlite({ file });
  const all: { id: string; words: string[] }[] = [];
  const text = (own: string) => {
    const filler = Array.from({ length: random.pick([0, 5, 50, 300]) }, () => `w${random.below(500)}`);
    return [...filler, own, 'end'].join(' ');
  };
  for (let round = 0; round < 12; round++) {
    const fresh = Array.from({ length: 25 }, () => word());
    all.push(
      ...(await Promise.all(
        fresh.map(async (own) => ({
          id: (await addRecord(records, { content: text(own) })).id,
          words: [own],
        })),
      )),
    );
    for (let i = 0; i < 15; i++) {
      const { id, words } = random.pick(all);
      words.push(word());
      await updateRecord(records, id, { content: text(words.at(-1)!) });
    }
  }
  const [forgotten, kept] = [new Set<string>(), new Set<string>()];
  const doomed = all.filter(({ words }) => {
    const goes = random.next() < 0.5;
    for (const own of words) (goes ? forgotten : kept).add(own);
    return goes;
  });
  for (let i = 0; i < doomed.length; i += 20) {
    await Promise.all(doomed.slice(i, i + 20).map(({ id }) => records.forget(id, context())));
  }
  await close();
  return { forgotten, kept, data: readFileSync(file, 'latin1') };
}

describe('the file after forgetting half of what was stored', () => {
  // Each of these would keep a copy of a row that had moved to another page before it was forgotten, without rewriting.
  it.each([1, 2, 5])('says nothing: seed %i', async (seed) => {
    const { data, forgotten, kept } = await fillAndForget(join(temporaryFolder(), 'k.db'), seed);
    expect(forgotten.size).toBeGreaterThan(100);
    for (const own of kept) expect(data.includes(own)).toBe(true);
    expect(remains(data, forgotten)).toEqual([]);
  });
});

describe('a database that is too large to be rewritten', () => {
  it('is told to hold traces still', async () => {
    const { records, log, close } = await openSqlite({ file: join(temporaryFolder(), 'k.db') });
    for (let i = 0; i < 7; i++) await log.append([messageDraft({ content: 'x'.repeat(10 * 2 ** 20) })]);
    const { id } = await addRecord(records, { content: 'a secret' });
    expect(await records.forget(id, context())).toMatchObject({ journalErased: true, pagesErased: false });
    await close();
  });
});
