/** Commands from verbs: arguments and flags from the operation's schema, who it acts for, questions, and the answer. */
import type { Command } from 'commander';
import type { Engine } from '../../../client/index.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { checkAgentName } from '../../../kernel/names.ts';
import type { Viewer } from '../../../kernel/scope.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { addFlags, type Flag, flagsOf } from '../flags.ts';
import { confirm, someoneIsThere } from '../terminal/confirm.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { callInput, inTermsOfFlags } from './call-input.ts';
import type { Positional, ShowOptions, Verb, VerbCall, VerbGroup } from './verb.ts';

interface Options extends Record<string, unknown> {
  readonly agent?: string;
  readonly yes?: boolean;
}

function viewerFor({ actsAs }: Verb, agent: string | undefined, engine: Engine): Viewer {
  const name = agent ?? (actsAs === 'default-agent' ? engine.config.name : undefined);
  return name === undefined ? { role: 'admin' } : { agent: checkAgentName(name), role: 'worker' };
}

/** An empty answer may be a misspelt agent. */
async function noteStranger(
  result: unknown,
  agent: string | undefined,
  { engine, context }: VerbCall,
): Promise<void> {
  if (agent === undefined || !Array.isArray(result) || result.length > 0) return;
  const names = await knownAgents(engine);
  if (names.includes(agent) || names.length === 0) return;
  const known = [...names.slice(0, 10), ...(names.length > 10 ? ['…'] : [])].join(', ');
  context.output.note(`No agent ${oneLine(agent)} has stored anything; there are: ${known}`);
}

/** Whoever remembers something or said something, whatever was asked for. */
async function knownAgents({ storage }: Engine): Promise<readonly string[]> {
  const [remembering, speaking] = await Promise.all([storage.records.agents(), storage.log.threads()]);
  return [...new Set([...remembering.map(({ name }) => name), ...speaking.map(({ agent }) => agent)])];
}

/** The result may lack what only its meaning would have found. */
function warnOfWordsOnly({ engine, context }: VerbCall): void {
  const { wordsOnly } = engine.embedder;
  if (wordsOnly === null) return;
  const hint = wordsOnly.hint === undefined ? '' : `\nhint: ${wordsOnly.hint}`;
  context.output.warn(printable(`warning: searched by words only. ${wordsOnly.message}${hint}`));
}

async function perform(verb: Verb, call: VerbCall): Promise<void> {
  const { agent, yes = false } = call.options as Options;
  if (verb.confirm !== undefined && !yes && someoneIsThere()) {
    const question = await verb.confirm(call);
    if (question !== undefined) await confirm(question);
  }
  const { engine, input, caller, options, context } = call;
  const result = await (verb.run?.(call) ?? verb.operation.run(engine, input, caller));
  verb.show(result, context, { agent, options, input });
  await noteStranger(result, agent, call);
  warnOfWordsOnly(call);
}

/** Nothing was ever stored, and asking for it must not begin a workspace. */
function showNothing(verb: Verb, folder: string, context: Context, options: ShowOptions): void {
  if (verb.nothing === undefined) {
    throw new KeepsakeError('NOT_FOUND', `There is nothing yet: no workspace is at ${folder}.`, {
      hint: FIRST_STEPS,
    });
  }
  verb.show(verb.nothing, context, options);
  context.output.note(`No workspace is at ${folder} yet. ${FIRST_STEPS}`);
}

const FIRST_STEPS = 'Make one with "keepsake init", or by adding a first memory.';

/** A text may come by flag as well; an id has one place only. */
function flagsBeside({ positionals, without = [] }: Verb, flags: readonly Flag[]): Flag[] {
  const ids = positionals.filter(({ kind }) => kind === 'id').map(({ key }) => key);
  return flags.filter(({ key }) => !ids.includes(key) && !without.includes(key));
}

/** The flag with what this verb says otherwise or on top of the schema. */
function adapted(flag: Flag, { defaults = {}, stdinFlags = [] }: Verb): Flag {
  const { key, description } = flag;
  return {
    ...flag,
    ...(Object.hasOwn(defaults, key) ? { default: defaults[key] } : {}),
    ...(stdinFlags.includes(key) ? { description: `${description} "-" reads it from stdin.` } : {}),
  };
}

function argumentOf({ key, kind, required = false }: Positional, flag: Flag | undefined): string {
  if (kind === 'text') return `[${key}...]`;
  return (flag?.required ?? required) ? `<${key}>` : `[${key}]`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Makes a command of a verb; the command has its name and its summary already. */
export function defineVerb(
  command: Command,
  verb: Verb,
  group: Pick<VerbGroup, 'whose'>,
  context: Context,
): void {
  const { operation, positionals, defaults = {} } = verb;
  const flags = flagsOf(operation.input).map((flag) => adapted(flag, verb));
  command.description(verb.about?.description ?? operation.description);
  for (const positional of positionals) {
    const flag = flags.find(({ key }) => key === positional.key);
    command.argument(argumentOf(positional, flag), flag?.description ?? positional.description ?? '');
  }
  command.option(
    '--agent <name>',
    verb.actsAs === 'owner' ? 'Only what this agent may see and do' : group.whose,
  );
  addFlags(command, flagsBeside(verb, flags));
  for (const own of verb.ownFlags ?? []) command.option(own.flags, own.description);
  if (verb.confirm !== undefined) command.option('--yes', 'Do not ask');
  addExamples(command, verb.examples, context);
  command.action(async (...args: unknown[]) => {
    const options = command.opts<Options>();
    try {
      const given = await callInput(verb, args, flags, options, (text) => context.output.note(text));
      if (operation.effect === 'read') {
        const missing = await context.missingWorkspace();
        if (missing !== undefined)
          return showNothing(verb, missing, context, { agent: options.agent, options, input: given });
      }
      const path = positionals.findIndex(({ kind }) => kind === 'path');
      const engine = await context.open();
      const call: VerbCall = {
        engine,
        caller: { viewer: viewerFor(verb, options.agent, engine), via: 'cli' },
        input: { ...defaults, ...given },
        path: path === -1 ? undefined : (args[path] as string | undefined),
        options,
        context,
      };
      await perform(verb, call);
    } catch (error) {
      throw inTermsOfFlags(error, positionals, pathOf(command));
    }
  });
}

/** What the verb is called in the SDK, REST and MCP. */
const ownName = ({ operation }: Verb): string => operation.name.split('.')[1]!;

const nameOf = (verb: Verb): string => verb.name ?? ownName(verb);

/** The name that a verb has everywhere else works here too, unless another verb has it. */
function otherName(verb: Verb, { verbs }: VerbGroup): string | undefined {
  const own = ownName(verb);
  const isTaken = verbs.some((each) => nameOf(each) === own);
  return isTaken || verbs.find((each) => ownName(each) === own) !== verb ? undefined : own;
}

/** Makes a command with one subcommand per verb. */
export function defineGroup(parent: Command, group: VerbGroup, context: Context): void {
  parent.description(group.description);
  const named = (verb: Verb): (string | undefined)[] => [nameOf(verb), otherName(verb, group)];
  const asked =
    context.verb === undefined ? undefined : group.verbs.find((verb) => named(verb).includes(context.verb));
  for (const verb of group.verbs) {
    const command = parent.command(nameOf(verb)).summary(verb.about?.summary ?? verb.operation.summary);
    const other = otherName(verb, group);
    if (other !== undefined) command.alias(other);
    // Flags come from schemas, and to turn a dozen schemas into flags would take longer than a search.
    if (asked === undefined || verb === asked) defineVerb(command, verb, group, context);
  }
  addExamples(parent, group.examples, context);
}
