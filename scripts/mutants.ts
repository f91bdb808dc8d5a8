/** Plants small defects, one at a time, and says which of them no test notices: `npm run mutants -- --sample 12 --seed 7`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/testing/seeded-random.ts';
import { findCoverage } from './mutants/coverage.ts';
import { EQUIVALENT } from './mutants/equivalent.ts';
import { mutationsOf } from './mutants/mutations.ts';
import { type Mutant, type Outcome, tryMutants } from './mutants/trial.ts';

const ROOT = join(import.meta.dirname, '..');
/** Where a defect would cost a user memories; what the tests here do not notice, nothing else would. */
const CORE = [
  ...['records', 'conversation', 'context', 'learning', 'guard', 'working', 'auth', 'transfer'],
  ...['drivers/sqlite', 'drivers/common'],
];

/** The exit code when the minutes were not enough. */
const STOPPED = 3;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true },
    sample: { type: 'string', default: '12' },
    seed: { type: 'string' },
    least: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function number(name: 'sample' | 'seed' | 'least' | 'jobs' | 'minutes', given: string): number {
  const found = Number(given);
  if (Number.isFinite(found) && found >= 0) return found;
  throw new Error(`--${name} must be a number.`);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', folder, name))
    .sort();
}

/** By folder, so that a small folder counts as much as a large one. */
function choose(folder: string, sample: number, seed: number): Mutant[] {
  const all = sourcesIn(folder).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const lines = source.split('\n');
    const known = EQUIVALENT.filter((each) => each.file === file);
    return mutationsOf(source)
      .filter(({ line }) => !known.some(({ code }) => lines[line - 1]!.includes(code)))
      .map((mutation): Mutant => ({ ...mutation, folder, file, source }));
  });
  const random = seededRandom(seed);
  for (let i = all.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, sample);
}

function percent(outcomes: readonly Outcome[]): number {
  const killed = outcomes.filter(({ isKilled }) => isKilled).length;
  return outcomes.length === 0 ? 100 : (100 * killed) / outcomes.length;
}

// So that everything that was begun is ended and removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : number('seed', values.seed);
const jobs = Math.max(1, number('jobs', values.jobs));
const sample = number('sample', values.sample);
const folders = values.folder ?? CORE;
say(`seed ${seed}`);
const mutants = folders.flatMap((folder) => choose(folder, sample, seed));
const until =
  values.minutes === undefined ? Infinity : Date.now() + number('minutes', values.minutes) * 60_000;
const limits = { jobs, until, say };
const coverage = await findCoverage(ROOT, sourcesIn('.'), limits);
const tried = coverage && (await tryMutants(ROOT, mutants, coverage, limits));
const outcomes = tried?.filter((outcome) => outcome !== undefined) ?? [];
if (outcomes.length < mutants.length) {
  say(
    `The time is over after ${outcomes.length} of ${mutants.length}. Run the same again, with --seed ${seed}, to go on.`,
  );
  process.exit(STOPPED);
}

const score = percent(outcomes);
if (values.json) {
  const plain = outcomes.map(({ mutant: { source: _, ...mutant }, ...outcome }) => ({
    ...mutant,
    ...outcome,
  }));
  console.log(JSON.stringify({ seed, sample, folders, score, outcomes: plain }, null, 2));
} else {
  for (const folder of folders) {
    const own = outcomes.filter(({ mutant }) => mutant.folder === folder);
    const killed = own.filter(({ isKilled }) => isKilled).length;
    console.log(`${folder}: ${killed} of ${own.length} killed`);
  }
  for (const { mutant, label, how } of outcomes.filter(({ isKilled }) => !isKilled)) {
    console.log(`survived  ${mutant.file}:${mutant.line}  ${label}  (${how})`);
  }
  console.log(`${score.toFixed(1)} % of ${outcomes.length} killed, seed ${seed}`);
}
process.exitCode = values.least !== undefined && score < number('least', values.least) ? 1 : 0;
