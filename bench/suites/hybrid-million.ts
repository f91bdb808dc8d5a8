/** The same as hybrid-recall with a million records: some ten minutes and four gigabytes. */
import { statSync } from 'node:fs';
import { createClient } from '../../src/index.ts';
import { median, round, temporaryFolder } from '../lib/measure.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import type { Suite } from '../lib/suite.ts';
import {
  coldRecall,
  config,
  databaseIn,
  fill,
  measure,
  measurePeer,
  readWithCat,
  row,
  timesOf,
} from './hybrid-recall.ts';

const MILLION = 1_000_000;
const STEP = 50_000;

export const hybridMillion: Suite = {
  name: 'hybrid-million',
  why: 'Why aims are missed: a cold open reads all vectors, a quarter of a gigabyte.',
  question: 'Latency of memory.search with a million records, against FTS5 + sqlite-vec on the same data',
  async run({ quick, progress }) {
    const size = quick ? MILLION / 20 : MILLION;
    const folder = temporaryFolder();
    const client = createClient({ workspace: folder.path, config });
    const text = naturalTexts(1);
    for (let done = 0; done < size; done += STEP) {
      progress(`${done.toLocaleString('en')} records`);
      await fill(client, 'crowd', Math.min(STEP, size - done), text);
    }
    const ours = await measure(client.agent({ name: 'crowd' }).memory, 100);
    await client.close();
    const file = databaseIn(folder.path);
    progress('cold open');
    const colds = Array.from({ length: 3 }, () => coldRecall(folder.path, 'crowd'));
    const cats = Array.from({ length: 3 }, () => readWithCat(file));
    const megabytes = round(statSync(file).size / 2 ** 20);
    progress('FTS5 + sqlite-vec');
    const theirs = await measurePeer(file, 'crowd', 10);
    folder.remove();
    const inMicroseconds = (times: readonly number[]) => timesOf(times.map((ms) => ms * 1_000));
    return {
      rows: [
        row(`${size.toLocaleString('en')} records`, ours, theirs),
        { ...row('cold open to first recall', inMicroseconds(colds), undefined), 'p99 / p50': '' },
        {
          ...row(`reading the same ${megabytes} MB with cat`, inMicroseconds(cats), undefined),
          'p99 / p50': '',
        },
      ],
      headline: [
        { name: 'times faster than FTS5 + sqlite-vec', value: round(theirs.p50 / ours.p50), aim: '≥ 20' },
        { name: 'p99 / p50', value: round(ours.p99 / ours.p50), aim: '≤ 4' },
        { name: 'cold open to first recall, ms', value: round(median(colds)), aim: '≤ 1000' },
      ],
    };
  },
};
