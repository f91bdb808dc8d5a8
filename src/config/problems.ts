/** What is wrong with a configuration, in words that say where, what was expected, what was found and what was meant. */
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

/** A file in which everything is wrong is shown in part; `details.problems` has the rest. */
const SHOWN = 50;

export function configError(problems: readonly ConfigProblem[], cause?: unknown): KeepsakeError {
  const lines = problems.slice(0, SHOWN).map(problemLine);
  if (problems.length > SHOWN) lines.push(`… and ${problems.length - SHOWN} more`);
  const heading = problems.length === 1 ? [] : [`The configuration has ${problems.length} problems:`];
  return new KeepsakeError('INVALID_CONFIG', [...heading, ...lines].join('\n'), {
    hint: 'Every key is described in docs/reference/config.md, and by your editor through "$schema".',
    details: { problems },
    cause,
  });
}
