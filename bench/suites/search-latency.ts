/** How long a search takes as the store grows. */
import { createClient } from '../../src/index.ts';
import { microseconds, quantile, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';

export const searchLatency: Suite = {
  name: 'search-latency',
  question: 'Latency of memory.search (limit 10, two to four words) by number of records',
  async run({ quick, progress }) {
    const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
    const folder = temporaryFolder();
    const client = createClient({ workspace: folder.path, config: { memory: { maxEntries: 10_000_000 } } });
    const { memory } = client.agent({ name: 'bench' });
    const text = textMaker();
    const question = textMaker(99);
    const rows: Row[] = [];
    let stored = 0;
    for (const size of sizes) {
      while (stored < size) {
        const batch = Math.min(500, size - stored);
        await Promise.all(Array.from({ length: batch }, () => memory.add({ content: text() })));
        stored += batch;
        progress(`${stored} records`);
      }
      const times: number[] = [];
      await microseconds(20, () => memory.search(question(3)));
      for (let i = 0; i < 200; i++)
        times.push(await microseconds(1, () => memory.search(question(2 + (i % 3)))));
      rows.push({
        what: `${size.toLocaleString('en')} records`,
        'p50 ms': round(quantile(times, 0.5) / 1000),
        'p99 ms': round(quantile(times, 0.99) / 1000),
      });
    }
    await client.close();
    folder.remove();
    return {
      rows,
      headline: [
        {
          name: 'p50 growth, smallest to largest store',
          value: round(Number(rows.at(-1)!['p50 ms']) / Number(rows[0]!['p50 ms'])),
        },
      ],
    };
  },
};
