/** How often search finds the right memory, on public data sets that are not part of this repository. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { round, temporaryFolder } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The runner and the data lie beside the repository. */
const RUNNER = join(ROOT, '../shared/bench/run.mjs');
const RETRIEVER = join(ROOT, 'bench/recall/keepsake.ts');

interface Measure {
  readonly title: string;
  readonly bench: readonly string[];
  readonly group: string;
  readonly metric: string;
  readonly aim: number;
}

const MEASURES: readonly Measure[] = [
  {
    title: 'LoCoMo recall@10',
    bench: ['--bench', 'locomo'],
    group: 'ALL 1-4',
    metric: 'recall@10',
    aim: 79,
  },
  {
    title: 'LongMemEval sessions any@1',
    bench: ['--bench', 'lme_session'],
    group: 'NON-ABSTENTION',
    metric: 'any@1',
    aim: 93,
  },
  {
    title: 'LongMemEval sessions all@5',
    bench: ['--bench', 'lme_session'],
    group: 'NON-ABSTENTION',
    metric: 'all@5',
    aim: 92,
  },
  {
    title: 'LongMemEval messages recall@10',
    bench: ['--bench', 'lme_turn'],
    group: 'NON-ABSTENTION',
    metric: 'recall@10',
    aim: 88,
  },
  { title: 'RealMem recall@10', bench: ['--bench', 'realmem'], group: 'ALL', metric: 'recall@10', aim: 54 },
  {
    title: 'BEAM 100K recall@10',
    bench: ['--bench', 'beam', '--b.unit', 'pair'],
    group: 'ALL',
    metric: 'recall@10',
    aim: 66,
  },
  {
    title: 'MemDaily recall@5',
    bench: ['--bench', 'memdaily', '--ks', '1,3,5'],
    group: 'ALL',
    metric: 'recall@5',
    aim: 86,
  },
];

interface Variant {
  readonly what: string;
  readonly options: readonly string[];
  /** Sets that would take too long with it. */
  readonly without?: readonly string[];
}

const KEEPSAKE = ['--retriever', RETRIEVER];
const DEFAULT = '**default: words + meaning + neighbours**';
const VARIANTS: readonly Variant[] = [
  { what: 'BM25 with stems (reference)', options: ['--r.tok', 'stem'] },
  { what: 'words only', options: [...KEEPSAKE, '--r.embedding', 'none', '--r.threads', 'off'] },
  { what: 'vectors only', options: [...KEEPSAKE, '--r.only', 'vectors'] },
  { what: 'words + meaning', options: [...KEEPSAKE, '--r.threads', 'off'] },
  { what: 'words + neighbours', options: [...KEEPSAKE, '--r.embedding', 'none'] },
  { what: DEFAULT, options: KEEPSAKE },
  { what: 'everything ages (profile classic)', options: [...KEEPSAKE, '--r.profile', 'classic'] },
  { what: 'without dates', options: [...KEEPSAKE, '--r.dates', 'off'] },
  { what: 'without diversity', options: [...KEEPSAKE, '--r.diversity', 'off'] },
  { what: 'without borrowed words', options: [...KEEPSAKE, '--r.borrowing', 'off'] },
  // Sets in which nothing of the kind is said have no figure in these rows.
  {
    what: 'without the speech prior',
    options: [...KEEPSAKE, '--r.without', 'speechBoost'],
    without: ['lme_session', 'lme_turn', 'realmem', 'beam', 'memdaily'],
  },
  {
    what: 'without the boost for openings',
    options: [...KEEPSAKE, '--r.without', 'openingBoost'],
    without: ['locomo', 'realmem', 'memdaily'],
  },
  {
    what: 'without supersession of remarks',
    options: [...KEEPSAKE, '--r.without', 'earlierDecay'],
    without: ['locomo', 'lme_session', 'lme_turn', 'beam', 'memdaily'],
  },
  {
    what: 'without the author prior',
    options: [...KEEPSAKE, '--r.without', 'authorBoost'],
    without: ['locomo', 'lme_session', 'realmem', 'beam', 'memdaily'],
  },
  { what: 'stored whole, without threads and dates', options: [...KEEPSAKE, '--r.storing', 'naive'] },
];
const MODELS: readonly Variant[] = [
  { what: 'vectors only, static', options: [...KEEPSAKE, '--r.only', 'vectors'] },
  {
    what: 'vectors only, bge-small',
    options: [...KEEPSAKE, '--r.only', 'vectors', '--r.embedding', 'bge-small'],
  },
  {
    what: 'vectors only, minilm',
    options: [...KEEPSAKE, '--r.only', 'vectors', '--r.embedding', 'minilm'],
    without: ['lme_turn'],
  },
  { what: DEFAULT, options: KEEPSAKE },
  {
    what: 'default with late interaction (minilm)',
    options: [...KEEPSAKE, '--r.late', 'minilm'],
    without: ['lme_session', 'lme_turn'],
  },
  { what: 'default with bge-small', options: [...KEEPSAKE, '--r.embedding', 'bge-small'] },
  {
    what: 'default with minilm',
    options: [...KEEPSAKE, '--r.embedding', 'minilm'],
    without: ['lme_turn'],
  },
];

type Results = Readonly<Record<string, Readonly<Record<string, number>>>>;

const execute = promisify(execFile);

/** A folder that an interrupted run left behind: what is in it is not measured again. */
const { KEEPSAKE_BENCH_RESUME: resumed } = process.env;

async function run(bench: readonly string[], options: readonly string[], file: string): Promise<Results> {
  if (!existsSync(file))
    await execute(process.execPath, [
      '--max-old-space-size=8000',
      ...[RUNNER, ...bench, ...options, '--json', file],
    ]);
  return (JSON.parse(readFileSync(file, 'utf8')) as { results: Results }).results;
}

/** One process per core: only the findings count here, not the time they take. */
async function inTurns(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

async function measure(
  variants: readonly Variant[],
  measures: readonly Measure[],
  progress: (text: string) => void,
): Promise<Row[]> {
  if (!existsSync(RUNNER))
    throw new Error(`The data sets are not part of the repository; expected ${RUNNER}.`);
  const folder = resumed === undefined ? temporaryFolder() : { path: resumed, remove: () => {} };
  const benches = new Map(measures.map(({ bench }) => [bench.join(' '), bench]));
  const found = new Map<string, Results>();
  const jobs = variants.flatMap(({ what, options, without = [] }, row) =>
    [...benches].map(([key, bench], column) => async () => {
      if (without.includes(bench[1] ?? '')) return;
      progress(`${what}: ${key}`);
      found.set(`${row} ${key}`, await run(bench, options, join(folder.path, `${row}-${column}.json`)));
    }),
  );
  await inTurns(jobs);
  folder.remove();
  return variants.map(({ what }, row) => {
    const cells = measures.map(({ title, bench, group, metric }) => {
      const results = found.get(`${row} ${bench.join(' ')}`);
      return [title, results === undefined ? '' : round(100 * (results[group]?.[metric] ?? 0))] as const;
    });
    return { what, ...Object.fromEntries(cells) };
  });
}

export const recall: Suite = {
  name: 'recall',
  question: 'How often memory.search finds the right memory on public data sets, one set of defaults for all',
  why: `The cells of this table were measured one at a time on 18 November 2026, not in one run of the command; missing rows and cells were not measured. Why aims are missed, as far as it is known: much of what is missing is found, but not among the first ten (the runner prints recall@20 and
recall@50). All weights fitted anew on one half of these questions gain half a point or less on the other
([0011](design/0011-hybrid-recall.md) has what was tried); larger embedding models gain three points on RealMem, one or two on BEAM, and nothing or less on LoCoMo and LongMemEval (recall-models). A model
that reads question and memory together may do more: there is a port for one (\`createClient({ reranker })\`), but none was measured.`,
  async run({ quick, progress }) {
    const variants = quick ? VARIANTS.filter(({ what }) => what === DEFAULT) : VARIANTS;
    const rows = await measure(variants, MEASURES, progress);
    const reached = rows.find(({ what }) => what === DEFAULT);
    return {
      rows,
      headline: MEASURES.map(({ title, aim }) => ({
        name: title,
        value: Number(reached?.[title]),
        aim: `≥ ${aim}`,
      })),
    };
  },
};

export const recallModels: Suite = {
  name: 'recall-models',
  question:
    'The same with larger embedding models (needs `keepsake models pull` for bge-small and minilm, and onnxruntime-node on the NODE_PATH; the first run embeds ten million words, which takes an hour or more)',
  async run({ progress }) {
    return { rows: await measure(MODELS, MEASURES, progress), headline: [] };
  },
};
