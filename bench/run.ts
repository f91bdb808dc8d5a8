/** Runs the benchmarks: `npm run bench -- [suite …] [--quick] [--save]`. With --save, results and charts are kept. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { writePage } from './lib/page.ts';
import { chart, table } from './lib/report.ts';
import type { Suite } from './lib/suite.ts';
import { agentOverhead } from './suites/agent-overhead.ts';
import { coldStart } from './suites/cold-start.ts';
import { conversation } from './suites/conversation.ts';
import { drivers } from './suites/drivers.ts';
import { durableAdds } from './suites/durable-adds.ts';
import { firstTokenSuite } from './suites/first-token.ts';
import { growth } from './suites/growth.ts';
import { guardQuality } from './suites/guard.ts';
import { guardCost } from './suites/guard-cost.ts';
import { httpLoad } from './suites/http-load.ts';
import { hybridMillion } from './suites/hybrid-million.ts';
import { hybridRecall } from './suites/hybrid-recall.ts';
import { languages } from './suites/languages.ts';
import { neighbour } from './suites/neighbour.ts';
import { peers } from './suites/peers.ts';
import { precision } from './suites/precision.ts';
import { recall, recallModels } from './suites/recall.ts';

import { sizing } from './suites/sizing.ts';
import { swarmState } from './suites/swarm-state.ts';
import { threshold } from './suites/threshold.ts';
import { vectorSearch } from './suites/vector-search.ts';

const SUITES: readonly Suite[] = [
  recall,
  recallModels,
  precision,
  languages,
  threshold,
  durableAdds,
  growth,
  vectorSearch,
  hybridRecall,
  hybridMillion,
  drivers,
  sizing,
  peers,
  httpLoad,
  neighbour,
  conversation,
  agentOverhead,
  firstTokenSuite,
  swarmState,
  guardQuality,
  guardCost,
  coldStart,
];

const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = names.find((name) => !SUITES.some((suite) => suite.name === name));
if (unknown !== undefined) {
  console.error(
    `There is no benchmark "${unknown}". There are: ${SUITES.map((suite) => suite.name).join(', ')}.`,
  );
  process.exit(64);
}

const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K  ${text}`);
};

for (const suite of SUITES.filter(({ name }) => names.length === 0 || names.includes(name))) {
  console.log(`\n## ${suite.name}\n${suite.question}\n`);
  const result = await suite.run({ quick: flags.has('--quick'), progress });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  console.log(table(result.rows));
  for (const { name, value, aim } of result.headline)
    console.log(`${name}: ${value}${aim === undefined ? '' : ` (aim ${aim})`}`);
  if (flags.has('--save')) {
    const root = join(import.meta.dirname, '..');
    mkdirSync(join(root, 'bench', 'results'), { recursive: true });
    mkdirSync(join(root, 'docs', 'assets'), { recursive: true });
    const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
    const saved = {
      suite: suite.name,
      question: suite.question,
      command: `npm run bench -- ${suite.name}`,
      date: new Date().toISOString().slice(0, 10),
      machine,
      ...result,
    };
    writeFileSync(
      join(root, 'bench', 'results', `${suite.name}.json`),
      `${JSON.stringify(saved, null, 2)}\n`,
    );
    if (result.headline.length > 0)
      writeFileSync(join(root, 'docs', 'assets', `bench-${suite.name}.svg`), chart(suite.question, result));
  }
}

if (flags.has('--save')) {
  writePage(join(import.meta.dirname, '..'), SUITES);
}
