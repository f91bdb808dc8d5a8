/** What adding, recalling and opening cost as a memory grows, beside the same data in FTS5 and sqlite-vec. */
import { createClient } from '../../src/index.ts';
import { median, microseconds, round, temporaryFolder } from '../lib/measure.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import type { Row, Suite } from '../lib/suite.ts';
import { coldRecall, config, databaseIn, fill, measure, measurePeer } from './hybrid-recall.ts';

const AGENT = 'crowd';
/** What is promised beside FTS5 and sqlite-vec, by number of records. */
const FASTER: Readonly<Record<number, string>> = { 1000: '≥ 1', 10000: '≥ 5', 100000: '≥ 20' };
const MEMORIES_PER_USER = 10;
const USERS_AT_ONCE = 50;
const AT_ONCE = 32;

type Client = ReturnType<typeof createClient>;

async function microsecondsPerAdd(client: Client, text: () => string): Promise<number> {
  const { memory } = client.agent({ name: AGENT });
  const add = () => Promise.all(Array.from({ length: AT_ONCE }, () => memory.add({ content: text() })));
  const times: number[] = [];
  for (let i = 0; i < 15; i++) times.push((await microseconds(1, add)) / AT_ONCE);
  return median(times);
}

/** How long a user's search takes who is one of so many, each with a few memories. */
async function searchOfOneAmong(users: number, progress: (text: string) => void): Promise<Row> {
  const folder = temporaryFolder();
  const client = createClient({ workspace: folder.path, config });
  const text = naturalTexts(2);
  for (let done = 0; done < users; done += USERS_AT_ONCE) {
    if (done % 5_000 === 0) progress(`${done.toLocaleString('en')} of ${users.toLocaleString('en')} users`);
    const adds = Array.from({ length: Math.min(USERS_AT_ONCE, users - done) }, (_, i) => {
      const { memory } = client.agent({ name: AGENT, user: `user-${done + i}` });
      return Array.from({ length: MEMORIES_PER_USER }, () => memory.add({ content: text() }));
    });
    await Promise.all(adds.flat());
  }
  const times = await measure(client.agent({ name: AGENT, user: 'user-0' }).memory, 300);
  await client.close();
  folder.remove();
  return {
    what: users === 1 ? 'one user alone' : `one user among ${users.toLocaleString('en')}`,
    memories: users * MEMORIES_PER_USER,
    'search p50 ms': round(times.p50 / 1_000),
    'search p99 ms': round(times.p99 / 1_000),
  };
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
      const recall = await measure(client.agent({ name: AGENT }).memory, 300);
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
    const alone = await searchOfOneAmong(1, progress);
    const among = await searchOfOneAmong(quick ? 2_000 : 100_000, progress);
    const times = `${sizes.at(-1)! / sizes[0]!} times as many records`;
    return {
      rows: [...rows, alone, among],
      headline: [
        { name: 'search of 1,000 records, p50 ms', value: Number(rows[0]!['search p50 ms']), aim: '≤ 0.5' },
        ...sizes.map((size, i) => ({
          name: `search of ${size.toLocaleString('en')} records, times faster than FTS5 + sqlite-vec`,
          value: Number(rows[i]!['times faster']),
          aim: FASTER[size]!,
        })),
        { name: `add, ${times}`, value: growthOf(rows, 'add µs'), aim: '≤ 1.2' },
        { name: `search, ${times}`, value: growthOf(rows, 'search p50 ms'), aim: '≤ 10' },
        {
          name: `cold open to first search, ${times}`,
          value: growthOf(rows, 'cold open to first search ms'),
          aim: '≤ 2',
        },
        {
          name: `search of ${among.what}, as a ratio to the same user alone`,
          value: round(Number(among['search p50 ms']) / Number(alone['search p50 ms'])),
          aim: '≤ 1.3',
        },
      ],
    };
  },
};
