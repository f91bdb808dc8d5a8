/** Words as numbers: the same for ever, and two words with one number never make a text count for less. */
import { expect, it } from 'vitest';
import {
  numberOf,
  sparseQuestion,
  sparseVectorOf,
  wordSpace,
  wordSpaceNamed,
} from '../../../src/drivers/qdrant/word-space.ts';
import { ANALYSIS_VERSION } from '../../../src/kernel/analysis.ts';
import { ADMIN, addRecord } from '../../../src/testing/conformance/drafts.ts';
import { databaseFile, openPlain } from './workbench.ts';

it('a word has the same number for ever: other processes and other days have stored it', () => {
  expect(['tea', '茶', 'harbour', ''].map(numberOf)).toEqual([
    797_948_165, 1_726_467_774, 3_307_161_924, 2_166_136_261,
  ]);
});

it('a space is known by its name, and no other vector is taken for one', () => {
  const space = wordSpace(17.26);
  expect(space).toEqual({
    name: `words-${ANALYSIS_VERSION}-173`,
    version: ANALYSIS_VERSION,
    typicalLength: 17.3,
  });
  expect(wordSpaceNamed(space.name)).toEqual(space);
  expect(wordSpace(0).typicalLength).toBe(1);
  expect([wordSpaceNamed('meaning'), wordSpaceNamed('words')]).toEqual([undefined, undefined]);
});

/** Found by trying. */
const [ONE, OTHER] = ['tbdrfbzz', 'frbbmmzr'] as const;

it('two words with one number count for both in a text, and for the dearer in a question', async () => {
  expect(numberOf(ONE)).toBe(numberOf(OTHER));
  const { records } = await openPlain(databaseFile());
  const { id } = await addRecord(records, { category: 'fact', content: `${ONE} ${OTHER} ${OTHER} tea` });
  const record = (await records.get(id, ADMIN, 0))!;
  const { indices, values } = sparseVectorOf(record, wordSpace(6));
  expect(indices).toEqual([ONE, 'tea', 'fact'].map(numberOf));
  // Five words and the mark of its owner, as long as is typical: one time is worth 1, two times 2 × 2.2 ÷ 3.2.
  expect(values).toEqual([2.375, 1, 0.7333333]);
  const question = sparseQuestion(
    new Map([
      [ONE, 3],
      ['tea', 1.5],
      [OTHER, 4],
    ]),
  );
  expect(question).toEqual({ indices: [ONE, 'tea'].map(numberOf), values: [4, 1.5] });
});
