/** One memory in a process of its own: fills and searches it, writes into it beside others, or tells what it has kept. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createStaticModel } from '../../src/models/static/index.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import { PEERS } from './index.ts';
import type { Packages, PeerMemory } from './peer.ts';

const QUERIES = 200;
const LIMIT = 10;

async function fillAndSearch(memory: PeerMemory, count: number) {
  const text = naturalTexts(1);
  const began = performance.now();
  for (let i = 0; i < count; i++) await memory.add(text());
  const added = performance.now() - began;
  const query = naturalTexts(2);
  const queries = Array.from({ length: QUERIES }, () => query(4));
  for (const asked of queries.slice(0, 20)) await memory.search(asked, LIMIT);
  const times: number[] = [];
  for (const asked of queries) {
    const start = performance.now();
    await memory.search(asked, LIMIT);
    times.push(performance.now() - start);
  }
  return { addMs: added / count, times };
}

async function write(memory: PeerMemory, label: string, count: number) {
  const acknowledged: string[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const text = `${label} wrote sentence number ${i}`;
      try {
        await memory.add(text);
        acknowledged.push(text);
      } catch {
        // Refused, and said so: nothing is lost by that.
      }
    }),
  );
  return acknowledged;
}

const [name, installed, folder, task, count, label] = process.argv.slice(2) as [
  string,
  string,
  string,
  'measure' | 'write' | 'kept',
  string,
  string,
];
const require = createRequire(join(installed, 'package.json'));
const packages: Packages = {
  resolve: (wanted) => require.resolve(wanted),
  load: (wanted) => import(pathToFileURL(require.resolve(wanted)).href),
};
const model = createStaticModel();
const peer = PEERS.find((one) => one.name === name);
if (peer === undefined) throw new Error(`There is no peer "${name}".`);
const memory = await peer.open(folder, (text) => [...model.embedNow!(text)], packages);
const answer = {
  measure: () => fillAndSearch(memory, Number(count)),
  write: () => write(memory, label, Number(count)),
  kept: () => memory.all(),
}[task];
const result = await answer();
await memory.close();
// Some peers greet on standard output: the answer has a channel of its own.
process.send!(result, () => process.exit(0));
