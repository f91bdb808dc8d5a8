/** How often search finds the right memory, on public data sets that are not part of this repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    aim: 78,
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
  { title: 'RealMem recall@10', bench: ['--bench', 'realmem'], group: 'ALL', metric: 'recall@10', aim: 60 },
  {
    title: 'BEAM 100K recall@10',
    bench: ['--bench', 'beam', '--b.unit', 'pair'],
    group: 'ALL',
    metric: 'recall@10',
    aim: 65,
  },
  {
    title: 'MemDaily recall@5',
    bench: ['--bench', 'memdaily', '--ks', '1,3,5'],
    group: 'ALL',
    metric: 'recall@5',
    aim: 85,
  },
];

interface Variant {
  readonly what: string;
  /** Sets that are left out, because a slow model would take hours over them. */
  readonly without?: readonly string[];
  readonly options: readonly string[];
}

/** Tens of thousands of long messages. */
const LONG_SETS = ['lme_session', 'lme_turn'];
const KEEPSAKE = ['--retriever', RETRIEVER];
const VARIANTS: readonly Variant[] = [
  { what: 'BM25 with stems (reference)', options: ['--r.tok', 'stem'] },
  { what: 'words only', options: [...KEEPSAKE, '--r.embedding', 'none', '--r.threads', 'off'] },
  { what: 'vectors only', options: [...KEEPSAKE, '--r.only', 'vectors'] },
  { what: 'words + meaning', options: [...KEEPSAKE, '--r.threads', 'off'] },
  { what: 'words + neighbours', options: [...KEEPSAKE, '--r.embedding', 'none'] },
  { what: '**default: words + meaning + neighbours**', options: KEEPSAKE },
  { what: 'everything ages (profile classic)', options: [...KEEPSAKE, '--r.profile', 'classic'] },
  { what: 'without dates', options: [...KEEPSAKE, '--r.dates', 'off'] },
  {
    what: 'vectors only, bge-small',
    without: LONG_SETS,
    options: [...KEEPSAKE, '--r.only', 'vectors', '--r.embedding', 'bge-small'],
  },
  {
    what: 'default with bge-small',
    without: LONG_SETS,
    options: [...KEEPSAKE, '--r.embedding', 'bge-small'],
  },
];
const DEFAULT = VARIANTS.findIndex(({ what }) => what.startsWith('**'));

type Results = Readonly<Record<string, Readonly<Record<string, number>>>>;

function run(bench: readonly string[], options: readonly string[], file: string): Results {
  execFileSync(
    process.execPath,
    ['--max-old-space-size=8000', RUNNER, ...bench, ...options, '--json', file],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return (JSON.parse(readFileSync(file, 'utf8')) as { results: Results }).results;
}

export const recall: Suite = {
  name: 'recall',
  question: 'How often memory.search finds the right memory on public data sets, one set of defaults for all',
  async run({ quick, progress }) {
    if (!existsSync(RUNNER))
      throw new Error(`The data sets are not part of the repository; expected ${RUNNER}.`);
    const folder = temporaryFolder();
    // Without bge-small and its runtime on this machine, its rows are left out.
    const variants = quick ? VARIANTS.slice(0, DEFAULT + 3) : VARIANTS;
    const rows: Row[] = [];
    for (const [index, { what, options, without = [] }] of variants.entries()) {
      const cells: Record<string, number | string> = {};
      const done = new Map<string, Results>();
      for (const { title, bench, group, metric } of MEASURES) {
        const key = bench.join(' ');
        if (without.includes(bench[1] ?? '')) {
          cells[title] = '–';
          continue;
        }
        progress(`${what}: ${title}`);
        const results = done.get(key) ?? run(bench, options, join(folder.path, `${index}.json`));
        done.set(key, results);
        cells[title] = round(100 * (results[group]?.[metric] ?? 0));
      }
      rows.push({ what, ...cells });
    }
    folder.remove();
    return {
      rows,
      headline: MEASURES.map(({ title, aim }) => ({
        name: title,
        value: Number(rows[DEFAULT]?.[title]),
        aim: `≥ ${aim}`,
      })),
    };
  },
};
