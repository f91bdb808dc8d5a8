/** Commands from verbs: the name, arguments, flags and examples come from the definition, the looks from show/. */

import { type Command, Option } from 'commander';
import { defined } from '../../kernel/defined.ts';
import { checkThreadId } from '../../kernel/users.ts';
import { type AnyVerb, type CliPositional, type CliProjection, wordsOf } from '../../kernel/verb.ts';
import { aliasOf } from './aliases.ts';
import { callInput, inTermsOfFlags } from './call-input.ts';
import { COMMANDS, type VerbCommand } from './command-table.ts';
import type { Context } from './context.ts';
import { addExamples } from './examples.ts';
import { addFlags, type Flag, flagsOf } from './flags.ts';
import { perform, showNothing, viewerFor } from './perform.ts';
import type { Presentation, VerbCall } from './show/presentation.ts';
import { confirm, someoneIsThere } from './terminal/confirm.ts';

interface Options extends Record<string, unknown> {
  readonly agent?: string;
  readonly yes?: boolean;
}

/** A verb as a command. */
export interface CliVerb {
  readonly verb: AnyVerb;
  readonly presentation: Presentation;
  /** What --agent means where the default agent acts unless another one is named. */
  readonly whose: string;
}

/** A command of a group. */
interface Child {
  readonly name: string;
  readonly summary: string;
  define(command: Command): Promise<void> | void;
}

const IN_DOUBT = 'This cannot be undone. Continue?';

const projectionOf = ({ cli }: AnyVerb): CliProjection => (cli === undefined || cli === false ? {} : cli);

/** The words after `keepsake`: a command, or a group and one of its commands. */
function commandWords(verb: AnyVerb): readonly [first: string, second: string | undefined] {
  const [first, ...rest] = projectionOf(verb).command?.split(' ') ?? wordsOf(verb);
  return [first!, rest.length === 0 ? undefined : rest.join('-')];
}

/** Commands of verbs whose first word is not in the command table, for example of a new noun. */
export function unlistedCommands(verbs: readonly AnyVerb[]): VerbCommand[] {
  const offered = verbs.filter(({ cli }) => cli !== false);
  const names = new Set(offered.map((verb) => commandWords(verb)[0]));
  for (const { name } of COMMANDS) names.delete(name);
  return [...names].map((name) => {
    const members = offered.filter((verb) => commandWords(verb)[0] === name);
    const summary = members.map((verb) => verb.summary).join(' ');
    return {
      name,
      group: 'More:',
      summary,
      examples: members.flatMap((verb) => projectionOf(verb).examples ?? []),
    };
  });
}

/** Makes the command of an entry of the table: a group with one command per verb, or a single verb. */
export async function defineVerbs(
  command: Command,
  entry: VerbCommand,
  verbs: readonly AnyVerb[],
  context: Context,
): Promise<void> {
  const { whose = 'The agent; default: the default agent', examples = [], others = [], order = [] } = entry;
  const presentations: Readonly<Record<string, Presentation>> = (await entry.show?.())?.presentations ?? {};
  const asCommand = (verb: AnyVerb): CliVerb => ({
    ...{ verb, whose },
    presentation: presentations[exportName(verb)] ?? {},
  });
  const own = verbs.filter((verb) => verb.cli !== false && commandWords(verb)[0] === entry.name);
  const itself = own.find((verb) => commandWords(verb)[1] === undefined);
  const below = own.filter((verb) => verb !== itself);
  if (itself !== undefined) defineVerb(command, asCommand(itself), context);
  else command.description(entry.description ?? entry.summary);
  const children: readonly Child[] = [
    ...below.map((verb) => ({
      name: commandWords(verb)[1]!,
      summary: asCommand(verb).presentation.about?.summary ?? verb.summary,
      define: (child: Command) => defineVerb(child, asCommand(verb), context),
    })),
    ...others.map(({ load, ...other }) => ({
      ...other,
      define: async (child: Command) => (await load()).define(child, context),
    })),
  ];
  const names = children.map(({ name }) => name);
  const asked = names.find((name) => isCalled(context.verb, entry.name, name));
  const placeOf = ({ name }: Child): number => (order.includes(name) ? order.indexOf(name) : order.length);
  for (const { name, summary, define } of children.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const child = command.command(name).summary(summary);
    child.aliases([...aliasOf(`${entry.name} ${name}`).words]);
    // Only what was typed is made whole: to turn a dozen schemas into flags takes longer than a search.
    if (asked === undefined || name === asked) await define(child);
  }
  if (itself === undefined) addExamples(command, examples, context);
}

function isCalled(typed: string | undefined, group: string, name: string): boolean {
  return typed === name || (typed !== undefined && aliasOf(`${group} ${name}`).words.includes(typed));
}

/** `memory.forgetExpired` → `memoryForgetExpired`, its name in src/verbs.ts. */
function exportName({ name }: AnyVerb): string {
  return name.replace(/\.(.)/g, (_dot, letter: string) => letter.toUpperCase());
}

/** Adds description, arguments, flags and the action to a command that has its name and its summary. */
export function defineVerb(command: Command, cliVerb: CliVerb, context: Context): void {
  const { verb, presentation, whose } = cliVerb;
  const cli = projectionOf(verb);
  const flags = flagsOf(verb.input).map((flag) => adapted(flag, cli));
  command.description(presentation.about?.description ?? verb.description);
  for (const positional of cli.positionals ?? []) {
    const flag = flags.find(({ key }) => key === positional.key);
    command.argument(argumentOf(positional, flag), flag?.description ?? positional.description ?? '');
  }
  if (namesAgent(cli, flags)) command.option('--agent <name>', agentHelp(verb, whose));
  if (namesAgent(cli, flags) && isPersonal(verb)) command.option('--user <id>', USER_HELP);
  if (namesAgent(cli, flags) && isAboutThreads(verb))
    command.option('--thread <id>', 'A thread of the agent and its user; default: their main conversation');
  addFlags(command, flagsBeside(cli, flags));
  for (const own of presentation.ownFlags ?? []) command.option(own.flags, own.description);
  if (questionOf(cliVerb) !== undefined) command.option('--yes', 'Do not ask');
  for (const flag of aliasOf(pathOf(command).replace(/^keepsake /, '')).flags) {
    command.addOption(new Option(flag).hideHelp());
  }
  addExamples(command, cli.examples ?? [], context);
  command.action(async (...args: unknown[]) => {
    try {
      await act(cliVerb, args, flags, command.opts<Options>(), context);
    } catch (error) {
      throw inTermsOfFlags(error, cli.positionals ?? [], pathOf(command));
    }
  });
}

async function act(
  cliVerb: CliVerb,
  args: readonly unknown[],
  flags: readonly Flag[],
  options: Options,
  context: Context,
): Promise<void> {
  const { verb, presentation } = cliVerb;
  const cli = projectionOf(verb);
  const given = await callInput(cli, args, flags, options, (text) => context.output.note(text));
  const missing = verb.effect === 'read' ? await context.missingWorkspace() : undefined;
  if (missing !== undefined) {
    const shown = { agent: options.agent, options, input: given };
    return showNothing(cli.nothing, presentation, missing, context, shown);
  }
  const engine = await context.open();
  const named = namesAgent(cli, flags) ? options.agent : undefined;
  // A user without an agent is the person, with every agent.
  const user = isPersonal(verb) ? (options.user as string | undefined) : undefined;
  const isDefault = cli.actsAs === 'default-agent' && (user === undefined || isAboutThreads(verb));
  const thread = isAboutThreads(verb) ? (options.thread as string | undefined) : undefined;
  const agent = named ?? (isDefault ? engine.config.name : undefined);
  const path = (cli.positionals ?? []).findIndex(({ kind }) => kind === 'path');
  const call: VerbCall = {
    ...{ engine, options, context },
    caller: { viewer: viewerFor(verb, agent, user), via: 'cli', ...threadIn(thread) },
    input: { ...cli.defaults, ...given },
    path: path === -1 ? undefined : (args[path] as string | undefined),
  };
  const ask = questionOf(cliVerb);
  if (ask !== undefined && options.yes !== true && someoneIsThere()) {
    const question = await ask(call);
    if (question !== undefined) await confirm(question);
  }
  await perform(verb, presentation, call);
}

const threadIn = (thread: string | undefined) =>
  thread === undefined ? {} : { thread: checkThreadId(thread) };

/** Verbs about what is kept apart for each user. */
function isPersonal({ name }: AnyVerb): boolean {
  return name.startsWith('memory.') || name === 'log.list' || isAboutThreads({ name });
}

/** Verbs about one conversation, which is that of an agent and its user, or a thread of theirs. */
function isAboutThreads({ name }: Pick<AnyVerb, 'name'>): boolean {
  return name.startsWith('log.') && name !== 'log.list';
}

const USER_HELP = 'The user that the memories are about; without --agent, of all agents';

/** An input with a key `agent` describes that flag itself. */
function namesAgent({ without = [] }: CliProjection, flags: readonly Flag[]): boolean {
  return !without.includes('agent') && !flags.some(({ key }) => key === 'agent');
}

function agentHelp(verb: AnyVerb, whose: string): string {
  if (projectionOf(verb).actsAs === 'default-agent') return whose;
  return verb.needsAgent === true ? 'Agent that acts (required)' : 'Only what this agent may see and do';
}

/** A verb that destroys something and has no presentation asks as well. */
function questionOf({ verb, presentation }: CliVerb): Presentation['confirm'] {
  const isPresented = Object.keys(presentation).length > 0;
  const byDefault = verb.effect === 'destroy' && !isPresented ? async () => IN_DOUBT : undefined;
  return presentation.confirm ?? byDefault;
}

/** A text may come by flag as well; an id has one place only. */
function flagsBeside({ positionals = [], without = [] }: CliProjection, flags: readonly Flag[]): Flag[] {
  const ids = positionals.filter(({ kind }) => kind === 'id').map(({ key }) => key);
  return flags.filter(({ key }) => !ids.includes(key) && !without.includes(key));
}

/** The flag of the schema with what the command line does differently. */
function adapted(flag: Flag, { defaults = {}, stdinFlags = [] }: CliProjection): Flag {
  const { key, description } = flag;
  return {
    ...flag,
    ...(Object.hasOwn(defaults, key) ? { default: defaults[key] } : {}),
    ...defined({
      description: stdinFlags.includes(key) ? `${description} "-" reads it from stdin.` : undefined,
    }),
  };
}

function argumentOf({ key, kind, required = false }: CliPositional, flag: Flag | undefined): string {
  if (kind === 'text') return `[${key}...]`;
  return (flag?.required ?? required) ? `<${key}>` : `[${key}]`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
