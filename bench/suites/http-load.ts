/** Requests per second and p99 of recall and remember over HTTP, against the same operations in process. */
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createClient } from '../../src/index.ts';
import { type Post, poster, startServer } from '../lib/http.ts';
import { round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Suite } from '../lib/suite.ts';

const AGENT = 'bench';
/** At how many connections the promise holds, and within which time. */
const PROMISED = 16;
const CONNECTIONS = [PROMISED, 64];
const AIMS = {
  recall: { perSecond: '≥ 1000', p99: '≤ 40' },
  remember: { perSecond: '≥ 1000', p99: '≤ 200' },
} as const;

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** As many callers as connections, each with its next request as soon as the last one is answered. */
async function load(connections: number, count: number, call: () => Promise<unknown>): Promise<Load> {
  const times: number[] = [];
  let left = count;
  const started = performance.now();
  const caller = async () => {
    while (left-- > 0) {
      const began = performance.now();
      await call();
      times.push(performance.now() - began);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: connections }, caller));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => round(times[Math.floor(share * (times.length - 1))]!);
  return { perSecond: Math.round(count / seconds), p50: at(0.5), p99: at(0.99) };
}

export const httpLoad: Suite = {
  name: 'http-load',
  why: `Why aims are missed: a recall is fifteen invented words here, and the search takes nearly all of the time of one processor: most of it
decides which hits are answers, by comparing each word of the question with those of each hit. HTTP itself adds little.`,
  question: 'Recall and remember over HTTP, as a ratio to the same operations in process',
  async run({ quick, progress }) {
    const records = quick ? 2_000 : 10_000;
    const counts = quick ? { recall: 300, remember: 2_000 } : { recall: 1_000, remember: 10_000 };
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    const config = { memory: { maxEntries: 10_000_000 } };
    for (const { path } of folders) {
      writeFileSync(join(path, 'keepsake.jsonc'), JSON.stringify(config));
      const text = textMaker();
      progress(`storing ${records} memories`);
      await using client = createClient({ workspace: path });
      const { memory } = client.agent({ name: AGENT });
      await load(64, records, () => memory.add({ content: text() }));
      await (await client.open()).embedder.drain();
    }
    const text = textMaker(7);
    const client = createClient({ workspace: folders[0].path });
    const { memory } = client.agent({ name: AGENT });
    const server = await startServer(folders[1].path);
    const rows = [];
    const headline = [];
    try {
      for (const connections of CONNECTIONS) {
        for (const [what, inProcess, overHttp] of [
          [
            'recall',
            () => memory.recall(text(), { limit: 10 }),
            (post: Post) => post('/v1/memory/recall', { task: text(), limit: 10 }),
          ],
          [
            'remember',
            () => memory.add({ content: text() }),
            (post: Post) => post('/v1/memory/add', { content: text() }),
          ],
        ] as const) {
          progress(`${what} at ${connections} connections`);
          const count = counts[what];
          await load(connections, 100, inProcess);
          const near = await load(connections, count, inProcess);
          // New connections: the loop of this process was busy, and would not have noticed that old ones were closed.
          const agent = new Agent({ keepAlive: true, maxSockets: connections });
          const post = poster({ port: server.port, key: server.key, agent, as: AGENT });
          await load(connections, 100, () => overHttp(post));
          const far = await load(connections, count, () => overHttp(post));
          agent.destroy();
          const row = (where: string, { perSecond, p50, p99 }: Load) => ({
            what: `${what}, ${where}, ${connections} at once`,
            ...{ 'per second': perSecond, 'p50 ms': p50, 'p99 ms': p99 },
          });
          rows.push(row('in process', near), row('HTTP', far));
          const title = `${what} over HTTP, ${connections} connections`;
          headline.push({
            name: `${title}, ratio to in process`,
            value: round(far.perSecond / near.perSecond),
          });
          if (connections === PROMISED)
            headline.push(
              { name: `${title}, per second`, value: far.perSecond, aim: AIMS[what].perSecond },
              { name: `${title}, p99 ms`, value: far.p99, aim: AIMS[what].p99 },
            );
        }
      }
    } finally {
      server.child.kill('SIGTERM');
      await client.close();
      for (const folder of folders) folder.remove();
    }
    return { rows, headline };
  },
};
