/** What adding, recalling and opening cost as a memory grows, beside the same data in FTS5 and sqlite-vec. */
import { createClient } from '../../src/index.ts';
import { median, microseconds, round, temporaryFolder } from '../lib/measure.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import type { Row, Suite } from '../lib/suite.ts';
import { coldRecall, config, databaseIn, fill, measure, measurePeer } from './hybrid-recall.ts';
import { type UserTimes, userInNewProcess } from './user-in-new-process.ts';

const AGENT = 'crowd';
/** What is promised beside FTS5 and sqlite-vec, by number of records. */
const FASTER: Readonly<Record<number, string>> = { 1000: '≥ 1', 10000: '≥ 5', 100000: '≥ 20' };
const MEMORIES_PER_USER = 10;
const USERS_AT_ONCE = 50;
/** Columns that are compared, and what they are of. */
const OF_ONE = {
  'first search ms': 'first search in a new process',
  'search p50 ms': 'search',
  'recall p50 ms': 'recall',
  'add p50 ms': 'add',
  'process MB': 'memory of a process',
};
const AT_ONCE = 32;

type Client = ReturnType<typeof createClient>;

async function microsecondsPerAdd(client: Client, text: () => string): Promise<number> {
  const { memory } = client.agent({ name: AGENT });
  const add = () => Promise.all(Array.from({ length: AT_ONCE }, () => memory.add({ content: text() })));
  const times: number[] = [];
  for (let i = 0; i < 15; i++) times.push((await microseconds(1, add)) / AT_ONCE);
  return median(times);
}

/** What a user costs who is one of so many, each with a few memories and a conversation. */
async function oneAmong(users: number, progress: (text: string) => void): Promise<Row> {
  const folder = temporaryFolder();
  const client = createClient({ workspace: folder.path, config });
  const text = naturalTexts(2);
  for (let done = 0; done < users; done += USERS_AT_ONCE) {
    if (done % 5_000 === 0) progress(`${done.toLocaleString('en')} of ${users.toLocaleString('en')} users`);
    const adds = Array.from({ length: Math.min(USERS_AT_ONCE, users - done) }, (_, i) => {
      const { memory, conversation } = client.agent({ name: AGENT, user: `user-${done + i}` });
      const added = Array.from({ length: MEMORIES_PER_USER }, () => memory.add({ content: text() }));
      return [...added, conversation('chat').log.add('User', text())];
    });
    await Promise.all(adds.flat());
  }
  await client.close();
  // The first one reads the file from the disk.
  const [, ...colds] = Array.from({ length: 6 }, () => userInNewProcess(folder.path, AGENT, 'user-0'));
  folder.remove();
  const column = (name: keyof UserTimes): number => round(median(colds.map((cold) => cold[name])));
  return {
    what: users === 1 ? 'one user alone' : `one user among ${users.toLocaleString('en')}`,
    memories: users * MEMORIES_PER_USER,
    'first search ms': column('first'),
    'search p50 ms': column('search'),
    'recall p50 ms': column('recall'),
    'add p50 ms': column('add'),
    'process MB': column('megabytes'),
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
    const alone = await oneAmong(1, progress);
    const among = await oneAmong(quick ? 2_000 : 100_000, progress);
    const ratio = (column: string): number => round(Number(among[column]) / Number(alone[column]));
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
        ...Object.entries(OF_ONE).map(([column, what]) => ({
          name: `${what} of ${among.what}, as a ratio to the same user alone`,
          value: ratio(column),
          aim: '≤ 1.3',
        })),
      ],
    };
  },
};
