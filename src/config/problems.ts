/** Errors of a configuration: position, expected value, found value, and a suggestion. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { KeyPath } from './json-schema.ts';

/** Where a setting was written: a place in the file, an environment variable, or neither for one passed in code. */
export interface Place {
  readonly file?: string;
  /** Starts at 1. */
  readonly line?: number;
  /** Starts at 1 and counts UTF-16 units, as editors do when they jump to a place. */
  readonly column?: number;
  readonly variable?: string;
}

export interface ConfigProblem extends Place {
  /** The key, as in `memory.maxEntries`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  /** The nearest valid name or value, when one is near. */
  readonly suggestion?: string;
  /** What to do about it, where looking up the keys would not help. */
  readonly hint?: string;
}

/** What to do about a problem. A plain "keepsake config" would fail with the same problem. */
export function hintFor({ hint }: ConfigProblem): string {
  return (
    hint ?? '"keepsake config --defaults" lists every key, and your editor explains them through "$schema".'
  );
}

export function pathText(path: KeyPath): string {
  return path
    .map((key, index) => {
      const name = String(key);
      if (!/^[\w$-]+$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

function placeText({ file, line, column, variable }: Place): string {
  if (variable !== undefined) return `environment variable ${variable}`;
  if (file === undefined) return 'override';
  return line === undefined ? file : `${file}:${line}:${column}`;
}

function problemLine(problem: ConfigProblem): string {
  return `${placeText(problem)}${problem.path === '' ? '' : ` ${problem.path}`}: ${problem.message}`;
}

/** In a file in which everything is wrong, nobody reads further than this. */
const MAX_PROBLEMS = 50;

/** Problems in the order in which they were found. Those beyond the limit are counted, but never looked into. */
export class ProblemList {
  readonly #shown: ConfigProblem[] = [];
  #total = 0;

  get shown(): readonly ConfigProblem[] {
    return this.#shown;
  }

  get total(): number {
    return this.#total;
  }

  add(describe: () => ConfigProblem): void {
    this.#total++;
    if (this.#shown.length < MAX_PROBLEMS) this.#shown.push(describe());
  }

  addAll({ shown, total }: ProblemList): void {
    this.#shown.push(...shown.slice(0, MAX_PROBLEMS - this.#shown.length));
    this.#total += total;
  }

  sortByPlace(): void {
    this.#shown.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  }
}

export function configError({ shown, total }: ProblemList, cause?: unknown): KeepsakeError {
  const lines = shown.map(problemLine);
  if (total > shown.length) lines.push(`… and ${total - shown.length} more`);
  const heading = total === 1 ? [] : [`The configuration has ${total} problems:`];
  return new KeepsakeError('INVALID_CONFIG', [...heading, ...lines].join('\n'), {
    hint: hintFor(shown[0] ?? { path: '', message: '' }),
    details: { problems: shown },
    cause,
  });
}

/** For what is wrong with a file as a whole. */
export function oneProblem(problem: ConfigProblem, cause?: unknown): KeepsakeError {
  const problems = new ProblemList();
  problems.add(() => problem);
  return configError(problems, cause);
}
