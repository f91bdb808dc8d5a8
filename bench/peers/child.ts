/** One memory in a process of its own: fills and searches it, writes into it beside others, or tells what it has kept. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createStaticModel } from '../../src/models/static/index.ts';
import { readCases } from './cases.ts';
import { PEERS } from './index.ts';
import type { Packages, PeerMemory } from './peer.ts';

const LIMIT = 10;
const WARM_UP = 100;

async function fillAndSearch(memory: PeerMemory, count: number) {
  const { texts, questions } = await readCases(count);
  const began = performance.now();
  for (const one of texts) await memory.add(one);
  const added = performance.now() - began;
  for (let i = 0; i < WARM_UP; i++) await memory.search(questions[i % questions.length]!.text, LIMIT);
  const times: number[] = [];
  let found = 0;
  for (const { text, answers } of questions) {
    const start = performance.now();
    const hits = await memory.search(text, LIMIT);
    times.push(performance.now() - start);
    if (answers.some((answer) => hits.includes(answer))) found++;
  }
  return { addMs: added / texts.length, times, found: found / questions.length, records: texts.length };
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
