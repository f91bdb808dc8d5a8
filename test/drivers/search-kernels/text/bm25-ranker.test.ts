/** Skipping common words does not change the result: the best records are those that scoring every record finds. */
import { expect, it } from 'vitest';
import { Bm25Ranker } from '../../../../src/drivers/search-kernels/text/bm25-ranker.ts';
import { InvertedIndex } from '../../../../src/drivers/search-kernels/text/inverted-index.ts';
import { seededRandom } from '../../../../src/testing/index.ts';
import { wordMaker } from '../../../fixtures/word-maker.ts';

const RECORDS = 6_000;
const PARTITION = 'partition';

it.each([1, 2])('skips common words only where they change nothing, seed %i', (seed) => {
  const random = seededRandom(seed);
  const word = wordMaker(random, 2_000);
  const index = new InvertedIndex();
  const rids = Array.from({ length: RECORDS }, (_, i) => i + 1);
  for (const rid of rids) {
    const body = Array.from({ length: random.pick([4, 12, 12, 40]) }, word);
    index.put(rid, rid % 4 === 0 ? 'other' : PARTITION, { body, labels: [random.pick(['fact', 'w1'])] }, 1);
  }
  const ranker = new Bm25Ranker(index, Math.log);
  const own = rids.filter((rid) => rid % 4 !== 0);
  for (let i = 0; i < 300; i++) {
    const words = [...new Set(['w0', 'w1', ...Array.from({ length: 1 + random.below(8) }, word)])];
    const query = ranker.prepare(words, [PARTITION]);
    const limit = random.pick([1, 3, 10, 80]);
    expect(ranker.best(query, limit)).toEqual(ranker.among(query, own, limit));
  }
});
