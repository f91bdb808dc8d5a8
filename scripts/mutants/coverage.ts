/** Which test files call which function: found out by running the tests on sources that note their calls. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { noting } from './functions.ts';
import { digestOf, filesOf, isAsked, memoryFolder, Workplace } from './workplace.ts';

/** Which tests of a file call which function, `<file>#<number>`: by their place in `tests`; -1 for what happens between them. */
export interface CallsOfFile {
  readonly file: string;
  readonly tests: readonly string[];
  /** What each test costs, in milliseconds of the processor. */
  readonly costs: readonly number[];
  readonly calls: Readonly<Record<string, readonly number[]>>;
}

export type Coverage = Readonly<Record<string, CallsOfFile>>;

/** What is kept of a test file, as long as neither it nor a source that it calls has changed. */
interface Kept {
  /** Of the test file. */
  readonly digest: string;
  /** Of each source that it calls; of all sources for a file that fails as it is. */
  readonly sources: Readonly<Record<string, string>>;
  /** Null for a test file that fails as it is. */
  readonly found: CallsOfFile | null;
}

/** What is kept depends on these too. */
const OWN = ['coverage', 'functions', 'note-calls', 'syntax'].map((name) => `scripts/mutants/${name}.ts`);
/** Test files that run together: what they found is kept when the last one has ended. */
const TOGETHER = 40;
const LONGEST_PASS_MS = 10 * 60_000;

/** Kept in memory between calls; only what changed since is run again. Undefined if the time was not enough for all of it. */
export async function findCoverage(
  root: string,
  sources: readonly string[],
  { jobs, until, say }: { jobs: number; until: number; say: (line: string) => void },
): Promise<Coverage | undefined> {
  const file = join(memoryFolder(), 'keepsake-mutants', `${digestOf(root, OWN)}.json`);
  const kept: Record<string, Kept> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const digests = Object.fromEntries(sources.map((source) => [source, digestOf(root, [source])]));
  const tests = filesOf(root).filter(isAsked).sort();
  const isFresh = (test: string): boolean => {
    const known = kept[test];
    if (known?.digest !== digestOf(root, [test])) return false;
    return Object.entries(known.sources).every(([source, digest]) => digests[source] === digest);
  };
  const waiting = tests.filter((test) => !isFresh(test));
  if (waiting.length > 0) say(`Running ${waiting.length} test files once, to see which of them call what.`);
  for (let begin = 0; begin < waiting.length; begin += TOGETHER) {
    if (Date.now() > until) return undefined;
    const some = waiting.slice(begin, begin + TOGETHER);
    const found = await callsOf(root, sources, some, jobs);
    for (const test of some) {
      const own = found[test] ?? null;
      const called =
        own === null ? sources : new Set(Object.keys(own.calls).map((call) => call.split('#')[0]!));
      kept[test] = {
        digest: digestOf(root, [test]),
        sources: Object.fromEntries([...called].map((source) => [source, digests[source]!])),
        found: own,
      };
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(kept));
    say(`${Math.min(begin + TOGETHER, waiting.length)}/${waiting.length} test files`);
  }
  const coverage: Record<string, CallsOfFile> = {};
  for (const test of tests) {
    const { found } = kept[test]!;
    // A test that fails without a defect says nothing about one.
    if (found === null) say(`Left out, because it fails as it is: ${test}`);
    else coverage[test] = found;
  }
  return coverage;
}

async function callsOf(
  root: string,
  sources: readonly string[],
  tests: readonly string[],
  workers: number,
): Promise<Coverage> {
  const place = new Workplace(root, ['scripts/mutants/note-calls.ts']);
  try {
    for (const file of sources) place.write(file, noting(place.read(file), file));
    const calls = join(place.scratch, 'calls');
    const report = join(place.scratch, 'report.json');
    mkdirSync(calls);
    const { output } = await place.test(tests, {
      timeoutMs: LONGEST_PASS_MS,
      env: { KEEPSAKE_MUTANTS_CALLS: calls, KEEPSAKE_MUTANTS_WORKERS: String(workers) },
      args: ['--reporter', 'json', '--outputFile', report],
    });
    if (!existsSync(report)) throw new Error(`The tests did not run:\n${output.slice(-2_000)}`);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: readonly { name: string; status: string }[];
    };
    const passed = new Set(testResults.filter(({ status }) => status === 'passed').map(({ name }) => name));
    const coverage: Record<string, CallsOfFile> = {};
    for (const name of readdirSync(calls)) {
      const found = JSON.parse(readFileSync(join(calls, name), 'utf8')) as CallsOfFile;
      if (passed.has(found.file)) coverage[relative(place.folder, found.file)] = found;
    }
    return coverage;
  } finally {
    place.close();
  }
}

export interface CoveringTest {
  readonly file: string;
  readonly name: string;
  readonly cost: number;
}

/** The tests that reach a function, those that are about it first; for code outside of functions, about its file. */
export function testsFor(coverage: Coverage, file: string, number: number): readonly CoveringTest[] {
  const near = nearness(file);
  const found = Object.entries(coverage).flatMap(([test, { tests, costs, calls }]) => {
    const places = new Set(
      number === -1
        ? Object.entries(calls).flatMap(([called, by]) => (called.startsWith(`${file}#`) ? by : []))
        : calls[`${file}#${number}`],
    );
    const width = Object.keys(calls).length;
    return tests.flatMap((name, place) =>
      places.has(-1) || places.has(place)
        ? [{ file: test, name, cost: costs[place]!, near: near(test), width }]
        : [],
    );
  });
  return found.sort((a, b) => b.near - a.near || a.width - b.width || (a.file < b.file ? -1 : 1));
}

/** How many folders, and the name, a test has in common with a source: tests mirror sources. */
function nearness(file: string): (test: string) => number {
  const own = file
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/');
  return (test) => {
    const its = test
      .replace(/^test\//, '')
      .replace(/\.test\.ts$/, '')
      .split('/');
    const shared = own.findIndex((part, i) => part !== its[i]);
    return shared === -1 ? own.length : shared;
  };
}
