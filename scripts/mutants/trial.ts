/** Tries mutants: plants each into a copy of the tree and runs the tests that reach it, the nearest first. */
import { type Coverage, type CoveringTest, testsFor } from './coverage.ts';
import { functionAt } from './functions.ts';
import { KeptOutcomes } from './kept-outcomes.ts';
import { applied, type Mutation } from './mutations.ts';
import { Workplace } from './workplace.ts';

export interface Mutant extends Mutation {
  readonly folder: string;
  readonly file: string;
  readonly source: string;
}

export interface Outcome {
  readonly mutant: Mutant;
  readonly isKilled: boolean;
  /** `<` → `<=`, with what stands around it. */
  readonly label: string;
  /** How many tests were asked, or that it never ended. */
  readonly how: string;
}

/** Tests of so much time of the processor, in milliseconds, are asked first, and nearly always one of them knows; */
const FIRST = 1_500;
/** and then so much more. */
const REST = 12_000;
const FIRST_MS = 180_000;
const REST_MS = 600_000;

/** As many of the tests as so much time is enough for, and at least one; and those after them. */
function within(tests: readonly CoveringTest[], milliseconds: number): [CoveringTest[], CoveringTest[]] {
  let left = milliseconds;
  const end = tests.findIndex(({ cost }, place) => {
    left -= cost;
    return left < 0 && place > 0;
  });
  return end === -1 ? [[...tests], []] : [tests.slice(0, end), tests.slice(end)];
}

/** One outcome for each mutant, in their order; undefined for those that there was no time for. */
export async function tryMutants(
  root: string,
  mutants: readonly Mutant[],
  coverage: Coverage,
  {
    jobs,
    until,
    say,
  }: { readonly jobs: number; readonly until: number; readonly say: (line: string) => void },
): Promise<readonly (Outcome | undefined)[]> {
  const kept = new KeptOutcomes(root);
  const outcomes = mutants.map((mutant): Outcome | undefined => {
    const known = kept.find(mutant);
    return known && { mutant, ...known };
  });
  const waiting = mutants
    .map((mutant, place) => ({ mutant, place }))
    .filter(({ place }) => outcomes[place] === undefined);
  if (waiting.length < mutants.length) say(`${mutants.length - waiting.length} were tried before.`);
  let done = mutants.length - waiting.length;
  const work = async (): Promise<void> => {
    const workplace = new Workplace(root);
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (Date.now() > until) return;
        const { mutant, place } = next;
        const outcome = await tryOne(workplace, mutant, coverage);
        outcomes[place] = outcome;
        kept.add(outcome);
        const { isKilled, label, how } = outcome;
        say(
          `${++done}/${mutants.length} ${isKilled ? 'killed' : 'SURVIVED'} ${mutant.file}:${mutant.line} ${label} (${how})`,
        );
      }
    } finally {
      workplace.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, waiting.length) }, work));
  return outcomes;
}

async function tryOne(workplace: Workplace, mutant: Mutant, coverage: Coverage): Promise<Outcome> {
  const { file, source, start } = mutant;
  const told = { mutant, label: labelOf(mutant) };
  const [first, others] = within(testsFor(coverage, file, functionAt(source)(start)), FIRST);
  const [rest] = within(others, REST);
  if (first.length === 0) return { ...told, isKilled: false, how: 'no test calls it' };
  workplace.write(file, applied(source, mutant));
  try {
    const parts = [
      { some: first, timeoutMs: FIRST_MS },
      { some: rest, timeoutMs: REST_MS },
    ];
    for (const { some, timeoutMs } of parts.filter(({ some }) => some.length > 0)) {
      const names = [...new Set(some.map(({ name }) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')))];
      const args = ['--bail', '1', '--testNamePattern', names.join('|')];
      const files = [...new Set(some.map((test) => test.file))];
      const { passed, timedOut, output } = await workplace.test(files, { timeoutMs, args });
      if (passed && !/Tests .*\d passed/.test(output)) throw new Error(`None of the tests ran:\n${output}`);
      if (timedOut) return { ...told, isKilled: true, how: 'it never ended' };
      if (!passed) return { ...told, isKilled: true, how: `by one of ${some.length} tests` };
    }
    return { ...told, isKilled: false, how: `${first.length + rest.length} tests passed` };
  } finally {
    workplace.write(file, source);
  }
}

const AROUND = 24;

function labelOf({ source, start, end, replacement }: Mutant): string {
  const line = (text: string): string => text.replaceAll(/\s+/g, ' ');
  const [before, after] = [source.slice(start - AROUND, start), source.slice(end, end + AROUND)];
  const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return `${line(before).trimStart()}[${clip(line(source.slice(start, end)))} → ${clip(line(replacement))}]${line(after).trimEnd()}`;
}
