/** What adding, recalling and opening cost as a memory grows, beside the same data in FTS5 and sqlite-vec. */
import { createClient } from '../../src/index.ts';
import { median, microseconds, round, temporaryFolder } from '../lib/measure.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import type { Row, Suite } from '../lib/suite.ts';
import { coldRecall, config, databaseIn, fill, measure, measurePeer } from './hybrid-recall.ts';

const AGENT = 'crowd';
const AT_ONCE = 32;

type Client = ReturnType<typeof createClient>;

async function microsecondsPerAdd(client: Client, text: () => string): Promise<number> {
  const { memory } = client.agent({ name: AGENT });
  const add = () => Promise.all(Array.from({ length: AT_ONCE }, () => memory.add({ content: text() })));
  const times: number[] = [];
  for (let i = 0; i < 15; i++) times.push((await microseconds(1, add)) / AT_ONCE);
  return median(times);
}

const growthOf = (rows: readonly Row[], column: string): number =>
  round(Number(rows.at(-1)![column]) / Number(rows[0]![column]));

export const growth: Suite = {
  name: 'growth',
  question: `What an add (${AT_ONCE} at once), a search (limit 10) and the first search of a new process cost by number of records, against FTS5 + sqlite-vec on the same data`,
  async run({ quick, progress }) {
    const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
    const folder = temporaryFolder();
    const text = naturalTexts(1);
    const rows: Row[] = [];
    let stored = 0;
    for (const size of sizes) {
      progress(`${size.toLocaleString('en')} records`);
      const client = createClient({ workspace: folder.path, config });
      await fill(client, AGENT, size - stored, text);
      stored = size;
      const recall = await measure(client, AGENT, 200);
      const add = await microsecondsPerAdd(client, text);
      await client.close();
      const peer = await measurePeer(databaseIn(folder.path), AGENT, 30);
      const colds = Array.from({ length: 5 }, () => coldRecall(folder.path, AGENT));
      rows.push({
        what: `${size.toLocaleString('en')} records`,
        'add µs': round(add),
        'search p50 ms': round(recall.p50 / 1_000),
        'search p99 ms': round(recall.p99 / 1_000),
        'FTS5 + sqlite-vec p50 ms': round(peer.p50 / 1_000),
        'times faster': round(peer.p50 / recall.p50),
        'cold open to first search ms': round(median(colds)),
      });
    }
    folder.remove();
    const times = `${sizes.at(-1)! / sizes[0]!} times as many records`;
    return {
      rows,
      headline: [
        { name: `add, ${times}`, value: growthOf(rows, 'add µs') },
        { name: `search, ${times}`, value: growthOf(rows, 'search p50 ms') },
        {
          name: `cold open to first search, ${times}`,
          value: growthOf(rows, 'cold open to first search ms'),
        },
      ],
    };
  },
};
