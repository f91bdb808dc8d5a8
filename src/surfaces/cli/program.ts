/** The command tree: global flags, groups, help, and the one command that was asked for. */
import { Command } from 'commander';
import { defined } from '../../kernel/defined.ts';
import type { AnyVerb } from '../../kernel/verb.ts';
import { COMMANDS, type CommandEntry } from './command-table.ts';
import type { Context } from './context.ts';
import { addExamples } from './examples.ts';
import { helpWith } from './help.ts';

export interface GlobalOptions {
  readonly workspace?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

export interface Arguments {
  readonly options: GlobalOptions;
  /** Words that are neither flags nor, as far as can be told, values of flags. */
  readonly words: readonly string[];
  /** `nothing`: no command, and no flag that represents one. */
  readonly asks: 'nothing' | 'version' | 'command';
}

/** No short forms: a memory like "-quick note" must not be taken for a flag. */
function addGlobalOptions(command: Command): Command {
  return command
    .option('--workspace <folder>', 'Folder of the workspace; else the nearest one with a keepsake.jsonc')
    .option('--json', 'One JSON document on stdout; errors as JSON on stderr')
    .option('--quiet', 'Only ids, paths and problems')
    .option('--no-color', 'No colours, even on a terminal');
}

/** Looks at the global flags before any command is loaded: they decide how even a wrong command is reported. */
export function lookAhead(args: readonly string[]): Arguments {
  const scout = addGlobalOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  let words: string[] = [];
  let asks: Arguments['asks'] = 'command';
  try {
    const { operands, unknown } = scout.parseOptions([...args]);
    words = operands;
    if (operands.length === 0 && unknown.length === 0) asks = 'nothing';
    // Not a flag of the tree: below it, `memory undo --version 1` means something else.
    if (/^(--version|-V|-v|version)$/.test([...operands, ...unknown].join(' '))) asks = 'version';
  } catch {
    // --workspace without its value; the real parse will say so.
  }
  const { workspace, json = false, quiet = false, color = true } = scout.opts<Partial<GlobalOptions>>();
  return {
    options: { json, quiet, color, ...defined({ workspace }) },
    words,
    asks,
  };
}

/** Shown in the list only: `keepsake help memory add` is turned into `keepsake memory add --help` before. */
function helpCommand(): Command {
  return new Command('help').argument('[command]').summary('Prints help for a command.').helpGroup('Care:');
}

/** The arguments of `help` as those of the command that it names. */
export function withoutHelpWord(args: readonly string[], words: readonly string[]): readonly string[] {
  if (words[0] !== 'help') return args;
  const at = args.indexOf('help');
  return [...args.slice(0, at), ...args.slice(at + 1), '--help'];
}

function createRoot({ output }: Context): Command {
  const { paint } = output;
  const program = new Command('keepsake')
    .description('Memory for AI agents: durable, offline from the first command.')
    .usage('<command> [flags]')
    .helpOption('-h, --help', 'Print help')
    .addHelpCommand(helpCommand())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      // Usage errors are reported in one place, with all other failures.
      outputError: () => {},
      // Help that is printed because a word is missing is not JSON; the error says the same.
      ...(output.json ? { writeErr: () => {} } : {}),
      getOutHasColors: () => paint('red', 'x') !== 'x',
      getErrHasColors: () => output.paintError('red', 'x') !== 'x',
    })
    .configureHelp(helpWith(paint));
  return addGlobalOptions(program);
}

/** Verbs are loaded only where they are needed: they come with all layers of the engine. */
async function verbsFor(wanted: readonly string[]): Promise<readonly AnyVerb[]> {
  const isOwn = (name: string) => COMMANDS.some((entry) => entry.name === name && 'load' in entry);
  return wanted.every(isOwn) ? [] : (await import('../../verbs.ts')).VERBS;
}

async function define(
  command: Command,
  entry: CommandEntry,
  verbs: readonly AnyVerb[],
  context: Context,
): Promise<void> {
  if ('load' in entry) return (await entry.load()).define(command, context);
  const { defineVerbs } = await import('./project.ts');
  return defineVerbs(command, entry, verbs, context);
}

/** Builds the tree; only the commands whose names are given are loaded with it. */
export async function buildProgram(
  context: Context,
  wanted: readonly string[],
  given?: readonly AnyVerb[],
): Promise<Command> {
  const program = createRoot(context);
  const verbs = given ?? (await verbsFor(wanted));
  const unlisted = verbs.length === 0 ? [] : (await import('./project.ts')).unlistedCommands(verbs);
  for (const entry of [...COMMANDS, ...unlisted]) {
    const { name, group, summary, hidden = false } = entry;
    const command = program.command(name, { hidden }).summary(summary).helpGroup(group);
    command.description(summary).helpCommand(false);
    if (wanted.includes(name)) await define(command, entry, verbs, context);
  }
  addExamples(
    program,
    [
      'keepsake init',
      'keepsake memory add "Prefers short answers."',
      'keepsake memory search "answers" --json',
    ],
    context,
  );
  return program;
}

/** The command that the words lead to, for example `keepsake memory add`, and the names of those below it. */
export function commandAt(program: Command, words: readonly string[]): { path: string; children: string[] } {
  const names = [program.name()];
  let command = program;
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (next === undefined) break;
    names.push(next.name());
    command = next;
  }
  return { path: names.join(' '), children: command.commands.map((child) => child.name()) };
}
