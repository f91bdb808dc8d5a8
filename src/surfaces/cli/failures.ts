/** Failures as a person reads them (message and hint, no stack) and as a program does (JSON), with the exit code of the table. */
import type { CommanderError } from 'commander';
import { ERROR_TABLE, KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import { lostCurrentFolder } from '../../kernel/lost-folder.ts';
import type { Output } from './output.ts';
import { escapeDriving, printable } from './terminal/printable.ts';
import { wrapRemark } from './terminal/wrap.ts';

/**
 * What commander found wrong with the arguments, in our words. `names` are the commands that would have been valid, `verbs` all that
 * have a noun before them.
 */
export function usageError(
  error: CommanderError,
  command: string,
  names: readonly string[],
  verbs: readonly string[] = [],
): KeepsakeError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const guess =
    withNoun(verbs, first) ??
    beginningOf(names, first) ??
    /\(Did you mean (.+)\?\)/.exec(rest.join(' '))?.[1];
  const inGroup = /^too many arguments for '.+?'.*: ([^,.]+)(?:,.*)?\.?$/.exec(first)?.[1];
  if (inGroup !== undefined && guess !== undefined) {
    return new KeepsakeError(
      'INVALID_INPUT',
      `Unknown command '${command.replace(/^keepsake /, '')} ${inGroup}'.`,
      {
        hint: `Did you mean "${command} ${guess}"?`,
      },
    );
  }
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  return new KeepsakeError('INVALID_INPUT', /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, {
    hint: usageHint(error, first, guess) ?? `Run "${command} --help" to see what it takes.`,
  });
}

/** A group such as `memory` without one of its verbs. */
export function missingVerb(path: string, children: readonly string[]): KeepsakeError {
  return new KeepsakeError('INVALID_INPUT', `"${path}" needs a command.`, {
    hint: `Choose one of ${children.join(', ')}; "${path} --help" says what each does.`,
  });
}

export function unknownCommand(word: string, path: string, children: readonly string[]): KeepsakeError {
  const guess = children.filter((name) => name.startsWith(word));
  const list = children.length === 0 ? '' : ` Choose one of ${children.join(', ')}.`;
  return new KeepsakeError('INVALID_INPUT', `"${path}" has no command ${JSON.stringify(word)}.`, {
    hint:
      guess.length === 1 ? `Did you mean ${guess[0]}?` : `Run "${path} --help" to see what it takes.${list}`,
  });
}

/** Someone who types "mem" means "memory", which is many edits away. */
function beginningOf(names: readonly string[], message: string): string | undefined {
  // A command that takes no arguments itself calls a mistyped command of its group one argument too many.
  const typed = (/^unknown command '(.+)'/.exec(message) ??
    /^too many arguments .*: ([^,]+?)(?:,|\.$|$)/.exec(message))?.[1];
  const matches = typed === undefined ? [] : names.filter((name) => name.startsWith(typed));
  return matches.length === 1 ? matches[0] : undefined;
}

/** Someone who types "keepsake search" means "keepsake memory search". */
function withNoun(verbs: readonly string[], message: string): string | undefined {
  const typed = /^unknown command '(.+)'/.exec(message)?.[1];
  const matches = verbs.filter((verb) => verb.split(' ').at(-1) === typed);
  const best = matches.find((verb) => verb.startsWith('memory ')) ?? matches[0];
  return best === undefined ? undefined : `"keepsake ${best}"`;
}

function usageHint({ code }: CommanderError, message: string, guess: string | undefined): string | undefined {
  if (guess !== undefined) return `Did you mean ${guess}?`;
  // Someone wrote a memory that begins with a dash, such as an item of a list.
  if (code === 'commander.unknownOption' && /'-.*\s.*'/.test(message)) {
    return 'A text that starts with "-" comes after "--", as in: keepsake memory add -- "- buy milk"';
  }
  return undefined;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? `${error.stack}` : `${error.stack}\ncaused by ${stackOf(error.cause)}`;
}

/** How and how wide stderr is written. */
type ErrorOutput = Pick<Output, 'paintError' | 'errorWidth'>;

/** A message of several lines keeps them, indented, so that a list of problems reads as one. */
export function errorLines(error: KeepsakeError, output: ErrorOutput): string[] {
  const { paintError: paint, errorWidth } = output;
  const [first = '', ...rest] = printable(error.message).split('\n');
  // Whoever answered "no" made no error.
  if (error.code === 'ABORTED') return [first, ...rest];
  const labelled = (label: string, painted: string, text: string): string[] => {
    const [start = '', ...more] = wrapRemark(`${label} ${text}`, errorWidth);
    return [`${painted}${start.slice(label.length)}`, ...more];
  };
  const lines = [
    ...labelled('error:', paint(['red', 'bold'], 'error:'), first),
    ...rest.map((line) => `  ${line}`),
  ];
  if (error.hint === undefined) return lines;
  return [...lines, ...labelled('hint:', paint('yellow', 'hint:'), printable(error.hint))];
}

/** Says what went wrong on stderr and returns the exit code. */
export function reportFailure(thrown: unknown, output: Output, debug: boolean): number {
  const error = lostCurrentFolder(thrown) ?? toKeepsakeError(thrown);
  const json = JSON.stringify({ error: error.toJSON() }, null, 2);
  if (output.json) process.stderr.write(`${output.errorWidth === undefined ? json : escapeDriving(json)}\n`);
  else process.stderr.write(`${errorLines(error, output).join('\n')}\n`);
  if (debug) process.stderr.write(`${stackOf(error)}\n`);
  return ERROR_TABLE[error.code].exit;
}
