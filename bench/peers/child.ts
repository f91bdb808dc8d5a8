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

/** Four words of a stored text, in another order. */
function questionAbout(text: string): string {
  const words = text.split(' ');
  return [9, 2, 12, 5].map((place) => words[place]).join(' ');
}

async function fillAndSearch(memory: PeerMemory, count: number) {
  const text = naturalTexts(1);
  const texts = Array.from({ length: count }, () => text());
  const began = performance.now();
  for (const one of texts) await memory.add(one);
  const added = performance.now() - began;
  const asked = texts.filter((_, i) => i % Math.floor(count / QUERIES) === 0).slice(0, QUERIES);
  for (const one of asked.slice(0, 20)) await memory.search(questionAbout(one), LIMIT);
  const times: number[] = [];
  let found = 0;
  for (const one of asked) {
    const start = performance.now();
    const hits = await memory.search(questionAbout(one), LIMIT);
    times.push(performance.now() - start);
    if (hits.includes(one)) found++;
  }
  return { addMs: added / count, times, found: found / asked.length };
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
