/** What a neighbour of a key that saturates the server feels: the times of its searches with and without, in one run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/index.ts';
import { type BenchServer, type Post, poster, startServer } from '../lib/http.ts';
import { quantile, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Suite } from '../lib/suite.ts';

const CONNECTIONS = 50;
/** About 14,000 characters. */
const WORDS = 2_000;
/** One search after the other, as an agent makes them. */
const PAUSE_MS = 10;
/** How often both are measured, by turns, so that whatever slows the machine down slows both. */
const ROUNDS = 4;

async function newKey({ port, key }: BenchServer, agent: string): Promise<string> {
  const connection = new Agent();
  const post = poster({ port, key, agent: connection });
  const made = JSON.parse(await post('/v1/keys', { name: agent, role: 'worker', agent })) as { key: string };
  return made.key;
}

async function searches(post: Post, count: number, question: () => string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await post('/v1/memory/search', { query: question(), limit: 10 });
    times.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
  return times;
}

/** Searches while another process saturates the server; says how many long texts it stored per second. */
async function besideAnother<T>(
  { port }: BenchServer,
  key: string,
  work: () => Promise<T>,
): Promise<{ result: T; perSecond: number }> {
  const program = join(import.meta.dirname, '../lib/saturate.ts');
  const child = spawn(process.execPath, [program, String(port), key, String(CONNECTIONS), String(WORDS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (part) => (said += String(part)));
  await once(child.stdout, 'data');
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  child.kill('SIGTERM');
  await once(child, 'close');
  const { stored } = JSON.parse(said.trim().split('\n').at(-1)!) as { stored: number };
  return { result, perSecond: stored / seconds };
}

export const neighbour: Suite = {
  name: 'neighbour',
  question: `Searches through a server, alone and while another worker key stores texts of ${WORDS} words over ${CONNECTIONS} connections`,
  async run({ quick, progress }) {
    const records = quick ? 1_000 : 10_000;
    const count = quick ? 100 : 500;
    const folder = temporaryFolder();
    writeFileSync(
      join(folder.path, 'keepsake.jsonc'),
      JSON.stringify({ memory: { maxEntries: 10_000_000 } }),
    );
    const text = textMaker();
    progress(`storing ${records} memories`);
    {
      await using client = createClient({ workspace: folder.path });
      const { memory } = client.agent({ name: 'neighbour' });
      for (let i = 0; i < records; i += 100)
        await Promise.all(Array.from({ length: 100 }, () => memory.add({ content: text() })));
      await (await client.open()).embedder.drain();
    }
    const server = await startServer(folder.path);
    const connection = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const [busy, own] = [await newKey(server, 'busy'), await newKey(server, 'neighbour')];
      const post = poster({ port: server.port, key: own, agent: connection });
      const question = () => text(6);
      // Until the server has in memory what searches need.
      await searches(post, 200, question);
      const times: [number[], number[]] = [[], []];
      let perSecond = 0;
      for (let i = 0; i < ROUNDS; i++) {
        progress(`round ${i + 1} of ${ROUNDS}`);
        times[0].push(...(await searches(post, count, question)));
        const disturbed = await besideAnother(server, busy, () => searches(post, count, question));
        times[1].push(...disturbed.result);
        perSecond += disturbed.perSecond / ROUNDS;
      }
      const at = (which: 0 | 1, q: number) => round(quantile(times[which], q));
      const row = (what: string, which: 0 | 1, stored: number) => ({
        what,
        ...{ 'p50 ms': at(which, 0.5), 'p99 ms': at(which, 0.99), 'longest ms': at(which, 1) },
        'long texts stored per second': round(stored),
      });
      return {
        rows: [row('alone', 0, 0), row('beside a key that saturates the server', 1, perSecond)],
        headline: [
          {
            name: 'p99 of a search beside a key that saturates the server, as a ratio to alone',
            value: round(quantile(times[1], 0.99) / quantile(times[0], 0.99)),
            aim: '≤ 3',
          },
        ],
      };
    } finally {
      connection.destroy();
      const ended = once(server.child, 'exit');
      server.child.kill('SIGTERM');
      await ended;
      folder.remove();
    }
  },
};
