/** docs/benchmarks.md and the tables of guides, made from the saved results, so that no figure in them is written by hand. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './report.ts';
import type { Suite, SuiteResult } from './suite.ts';

export interface Saved extends SuiteResult {
  readonly suite: string;
  readonly question: string;
  readonly command: string;
  /** The day of the run; missing in results that were saved before days were. */
  readonly date?: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
}

const INTRODUCTION = `# Benchmarks

Machines differ and are noisy, so every figure is a ratio to something measured in the same run: the disk's own speed, an
empty Node, the bare minimum of the same work. This page is made by \`npm run bench -- --save\` from \`bench/results/*.json\`;
no figure in it is written by hand. Where an aim is missed, it says so, and why.
`;

/** Some suites changed since, so that their command prints other columns today. */
const OLDER = 'before 18 November 2026 with an earlier version of Keepsake or of this suite';

function verdict(value: number, aim: string | undefined): string {
  const match = /^([≤≥]) ([\d.]+)$/.exec(aim ?? '');
  if (match === null) return '';
  const reached = match[1] === '≥' ? value >= Number(match[2]) : value <= Number(match[2]);
  return `aim ${aim}: ${reached ? 'reached' : '**missed**'}`;
}

function section(
  { suite, question, command, date, machine, rows, headline }: Saved,
  why: string | undefined,
): string {
  const lines = headline.map(
    ({ name, value, aim }) =>
      `- ${[`${name}: **${value}**`, verdict(value, aim)].filter(Boolean).join(', ')}`,
  );
  return [
    `## ${suite}`,
    `${question}.`,
    // A chart shows the headline; without one there is nothing to draw.
    ...(headline.length === 0 ? [] : [`![${question}](assets/bench-${suite}.svg)`]),
    table(rows),
    ...(headline.length === 0 ? [] : [lines.join('\n')]),
    ...(why !== undefined && lines.some((line) => line.endsWith('**missed**')) ? [why] : []),
    `\`${command}\` on ${machine.cores} × ${machine.cpu}, Node ${machine.node}, ${date ?? OLDER}.`,
  ].join('\n\n');
}

/** A table of a guide stands between two comments, the first of which names its suite. */
const TABLE = /(<!-- bench: ([a-z-]+) -->).*?(<!-- end -->)/gs;

/** The same page with the figures that are saved now. */
export function withTables(page: string, saved: readonly Saved[]): string {
  return page.replaceAll(TABLE, (_, begin: string, name: string, end: string) => {
    const result = saved.find(({ suite }) => suite === name);
    if (result === undefined)
      throw new Error(`A guide shows the table of "${name}", and no result of it is saved.`);
    return `${begin}\n\n${table(result.rows)}\n\n${end}`;
  });
}

export function readSaved(root: string): Saved[] {
  const folder = join(root, 'bench', 'results');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Saved);
}

/** Pages that may show a table: the guides, and the README. */
export const guidesOf = (root: string): string[] => [
  ...readdirSync(join(root, 'docs', 'guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', 'guides', name)),
  join(root, 'README.md'),
];

/** In the order of the suites. */
export function writePage(root: string, suites: readonly Suite[]): void {
  const placeOf = ({ suite }: Saved): number => suites.findIndex(({ name }) => name === suite);
  const saved = readSaved(root).sort((a, b) => placeOf(a) - placeOf(b));
  const sections = saved.map((each) => section(each, suites[placeOf(each)]?.why));
  writeFileSync(
    join(root, 'docs', 'benchmarks.md'),
    `${[INTRODUCTION.trimEnd(), ...sections].join('\n\n')}\n`,
  );
  for (const file of guidesOf(root)) {
    const page = readFileSync(file, 'utf8');
    const renewed = withTables(page, saved);
    if (renewed !== page) writeFileSync(file, renewed);
  }
}
