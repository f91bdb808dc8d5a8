/** The command line: `run` takes the arguments and resolves to the exit code. */
import { type Command, CommanderError } from 'commander';
import { ERROR_TABLE } from '../../kernel/errors.ts';
import { type AnyVerb, wordsOf } from '../../kernel/verb.ts';
import { Context } from './context.ts';
import { missingVerb, reportFailure, unknownCommand, usageError } from './failures.ts';
import { Output, surviveClosedPipes } from './output.ts';
import { overview } from './overview.ts';
import { packageVersion } from './package.ts';
import { buildProgram, commandAt, lookAhead, withoutHelpWord } from './program.ts';

/** Ctrl-C lets a write that is under way finish and the files be closed; a second one does not wait. */
function closeOnSignals(context: Context): void {
  const leave = (exitCode: number) => {
    let leaving = false;
    return () => {
      if (leaving) process.exit(exitCode);
      leaving = true;
      // Whoever stops by himself while the files are closed ends with the same code.
      context.exitCode = exitCode;
      context.close().then(
        () => process.exit(exitCode),
        () => process.exit(exitCode),
      );
    };
  };
  process.on('SIGINT', leave(ERROR_TABLE.ABORTED.exit));
  process.on('SIGTERM', leave(143));
}

async function isDebugging(): Promise<boolean> {
  const { isDebugging: ask } = await import('../../administration/environment.ts');
  return ask();
}

/** What escapes every catch is still told in words; Node would print a stack and lose the exit code. */
function reportEscapes(output: Output): void {
  process.on('uncaughtException', (error) => {
    isDebugging().then((debug) => process.exit(reportFailure(error, output, debug)));
  });
}

/** `keepsake help memry` is not a question about `keepsake`. */
function refuseUnknown(program: Command, words: readonly string[]): void {
  const { path, children } = commandAt(program, words);
  const unknown = words[path.split(' ').length - 1];
  if (unknown !== undefined) throw unknownCommand(unknown, path, children);
}

/** A hook is never in the way of whoever calls it, also when it was called wrongly. */
export async function run(
  given: readonly string[],
  verbs?: readonly AnyVerb[],
  /** If it was read already. */
  stdin?: Uint8Array,
): Promise<number> {
  const code = await runCommand(given, verbs, stdin);
  if (given[0] !== 'hook' || code === 0) return code;
  process.stdout.write('{}\n');
  return 0;
}

async function runCommand(
  given: readonly string[],
  verbs: readonly AnyVerb[] | undefined,
  stdin: Uint8Array | undefined,
): Promise<number> {
  const { options, words: typed, asks } = lookAhead(given);
  const args = withoutHelpWord(given, typed);
  const words = typed[0] === 'help' ? typed.slice(1) : typed;
  const output = new Output(options);
  const context = new Context(output, options.workspace);
  context.stdin = stdin;
  surviveClosedPipes();
  closeOnSignals(context);
  reportEscapes(output);
  if (asks !== 'command') {
    const version = packageVersion();
    const text = () => (asks === 'version' ? version : overview(output, version));
    output.result({ version }, { text, quiet: () => version });
    return 0;
  }
  context.verb = words[1];
  const program = await buildProgram(context, words.slice(0, 1), verbs);
  try {
    if (typed !== words) refuseUnknown(program, words);
    if (!args.some((word) => word === '--help' || word === '-h')) process.cwd();
    await program.parseAsync([...args], { from: 'user' });
    await context.close();
    return context.exitCode;
  } catch (error) {
    await context.close().catch(() => {});
    if (!(error instanceof CommanderError)) return reportFailure(error, output, await isDebugging());
    if (error.exitCode === 0) return 0;
    // Help that was printed because a word was missing has said everything.
    const { path, children } = commandAt(program, words);
    if (error.code === 'commander.help') {
      return output.json
        ? reportFailure(missingVerb(path, children), output, false)
        : ERROR_TABLE.INVALID_INPUT.exit;
    }
    const known = path.split(' ').length === 1 ? (verbs ?? (await import('../../verbs.ts')).VERBS) : [];
    const commands = known.map((verb) => wordsOf(verb).join(' '));
    return reportFailure(usageError(error, path, children, commands), output, false);
  }
}
