/** Puts the input of a verb together from positionals, flags and stdin. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { CliPositional, CliProjection } from '../../kernel/verb.ts';
import { type Flag, flagName, inputFrom } from './flags.ts';
import { readStdin } from './read-stdin.ts';

const FROM_STDIN = '-';

function textOf(value: unknown): string | undefined {
  // Words that were not quoted arrive one by one.
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(' ');
  return value as string | undefined;
}

export async function callInput(
  { positionals = [], stdinFlags = [] }: Pick<CliProjection, 'positionals' | 'stdinFlags'>,
  values: readonly unknown[],
  flags: readonly Flag[],
  options: Readonly<Record<string, unknown>>,
  note: (text: string) => void,
): Promise<Record<string, unknown>> {
  const input = inputFrom(flags, options);
  for (const key of stdinFlags) if (input[key] === FROM_STDIN) input[key] = await readStdin(note);
  for (const [i, { key, kind }] of positionals.entries()) {
    if (kind === 'path') continue;
    const given = textOf(values[i]);
    if (given !== undefined && input[key] !== undefined) {
      throw new KeepsakeError(
        'INVALID_INPUT',
        `The ${key} was given twice: by itself and with ${flagName(key)}.`,
        {
          hint: 'Give it once.',
        },
      );
    }
    const value = given ?? input[key];
    if (value === undefined) {
      if (flags.find((flag) => flag.key === key)?.required !== true) continue;
      throw new KeepsakeError('INVALID_INPUT', `The ${key} is missing.`, {
        hint: `Give it in quotes, with ${flagName(key)}, or as "-" to read it from stdin.`,
      });
    }
    input[key] = kind === 'text' && value === FROM_STDIN ? await readStdin(note) : value;
  }
  return input;
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

/** What the schema found wrong, with the names that were typed instead of the keys of the input. */
export function inTermsOfFlags(
  thrown: unknown,
  positionals: readonly CliPositional[],
  command: string,
): unknown {
  if (!KeepsakeError.is(thrown)) return thrown;
  const problems = thrown.details.problems as readonly Problem[] | undefined;
  if (problems === undefined || (thrown.code !== 'INVALID_INPUT' && thrown.code !== 'TOO_LARGE'))
    return thrown;
  const named = problems.map(({ path, message }) => {
    const key = path.split('.')[0] ?? '';
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    if (key === '') return sentence;
    return `${positionals.some((each) => each.key === key) ? `<${key}>` : flagName(key)}: ${sentence}`;
  });
  return new KeepsakeError(thrown.code, named.join('\n'), {
    hint:
      thrown.code === 'TOO_LARGE' && thrown.hint
        ? thrown.hint
        : `Run "${command} --help" to see what it takes.`,
    details: thrown.details,
    cause: thrown,
  });
}
