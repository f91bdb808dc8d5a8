/** What is skipped because it cannot matter does not matter: the best are those that a look at every record finds. */
import { expect, it } from 'vitest';
import { Ranker } from '../../../../src/drivers/sqlite/text/ranker.ts';
import { WordIndex } from '../../../../src/drivers/sqlite/text/word-index.ts';
import { seededRandom } from '../../../../src/testing/index.ts';
import { wordMaker } from './fixture.ts';

const RECORDS = 6_000;
const SHELF = 'partition';

it.each([1, 2])('skips common words only where they change nothing, seed %i', (seed) => {
  const random = seededRandom(seed);
  const word = wordMaker(random, 2_000);
  const index = new WordIndex();
  const rids = Array.from({ length: RECORDS }, (_, i) => i + 1);
  for (const rid of rids) {
    const body = Array.from({ length: random.pick([4, 12, 12, 40]) }, word);
    index.put(rid, rid % 4 === 0 ? 'other' : SHELF, { body, labels: [random.pick(['fact', 'w1'])] }, 1);
  }
  const ranker = new Ranker(index, Math.log);
  const own = rids.filter((rid) => rid % 4 !== 0);
  for (let i = 0; i < 300; i++) {
    const words = [...new Set(['w0', 'w1', ...Array.from({ length: 1 + random.below(8) }, word)])];
    const question = ranker.ask(words, [SHELF]);
    const limit = random.pick([1, 3, 10, 80]);
    expect(ranker.best(question, limit)).toEqual(ranker.among(question, own, limit));
  }
});
