/** Tries mutants: plants each into a copy of the tree and runs the tests that reach it, the nearest first. */
import { type Coverage, testsFor } from './coverage.ts';
import { functionAt } from './functions.ts';
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

/** So many tests are asked first, and nearly always one of them knows. */
const FIRST = 25;
/** More than so many further ones are not asked. */
const MOST = 75;
const FIRST_MS = 180_000;
const REST_MS = 600_000;

export async function tryMutants(
  root: string,
  mutants: readonly Mutant[],
  coverage: Coverage,
  { jobs, say }: { readonly jobs: number; readonly say: (line: string) => void },
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = mutants.map((mutant, place) => ({ mutant, place }));
  const work = async (): Promise<void> => {
    const workplace = new Workplace(root);
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { mutant, place } = next;
        outcomes[place] = await tryOne(workplace, mutant, coverage);
        const { isKilled, label, how } = outcomes[place];
        const done = mutants.length - waiting.length;
        say(
          `${done}/${mutants.length} ${isKilled ? 'killed' : 'SURVIVED'} ${mutant.file}:${mutant.line} ${label} (${how})`,
        );
      }
    } finally {
      workplace.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, mutants.length) }, work));
  return outcomes;
}

async function tryOne(workplace: Workplace, mutant: Mutant, coverage: Coverage): Promise<Outcome> {
  const { file, source, start } = mutant;
  const told = { mutant, label: labelOf(mutant) };
  const tests = testsFor(coverage, file, functionAt(source)(start)).slice(0, FIRST + MOST);
  if (tests.length === 0) return { ...told, isKilled: false, how: 'no test calls it' };
  workplace.write(file, applied(source, mutant));
  try {
    const parts = [
      { some: tests.slice(0, FIRST), timeoutMs: FIRST_MS },
      { some: tests.slice(FIRST), timeoutMs: REST_MS },
    ];
    for (const { some, timeoutMs } of parts.filter(({ some }) => some.length > 0)) {
      const names = [
        ...new Set(
          some.map(({ name }) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' ', '(?: >)? ')),
        ),
      ];
      const args = ['--bail', '1', '--testNamePattern', names.join('|')];
      const files = [...new Set(some.map((test) => test.file))];
      const { passed, timedOut, output } = await workplace.test(files, { timeoutMs, args });
      if (passed && !/Tests .*\d passed/.test(output)) throw new Error(`None of the tests ran:\n${output}`);
      if (timedOut) return { ...told, isKilled: true, how: 'it never ended' };
      if (!passed) return { ...told, isKilled: true, how: `by one of ${some.length} tests` };
    }
    return { ...told, isKilled: false, how: `${tests.length} tests passed` };
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
