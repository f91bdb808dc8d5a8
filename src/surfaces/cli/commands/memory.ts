/** `keepsake memory`: one subcommand per operation, with flags from its schema. */
import type { Command } from 'commander';
import type { Engine } from '../../../client/index.ts';
import { checkAgentName } from '../../../kernel/names.ts';
import type { Viewer } from '../../../kernel/scope.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { addFlags, type Flag, flagsOf } from '../flags.ts';
import { callInput, inTermsOfFlags } from '../memory/call-input.ts';
import { type Positional, VERBS, type Verb } from '../memory/verbs.ts';
import { confirm, someoneIsThere } from '../terminal/confirm.ts';
import { oneLine } from '../terminal/printable.ts';
import { truncate } from '../terminal/width.ts';

interface Options {
  readonly agent?: string;
  readonly explain?: boolean;
  readonly yes?: boolean;
}

function viewerFor({ actsAs }: Verb, agent: string | undefined, engine: Engine): Viewer {
  const name = agent ?? (actsAs === 'default-agent' ? engine.config.name : undefined);
  return name === undefined ? { role: 'admin' } : { agent: checkAgentName(name), role: 'worker' };
}

/** Shows what is about to be erased; a look in passing must not count as an access. */
async function confirmForgetting(id: string, viewer: Viewer, { storage, clock }: Engine): Promise<void> {
  const record = await storage.records.get(id, viewer, clock.now());
  if (record === null || record.state === 'forgotten') return;
  await confirm(`Forget "${truncate(oneLine(record.content), 60)}" for good? This cannot be undone.`);
}

/** An empty answer may be a misspelt agent. */
async function noteStranger(result: unknown, agent: string | undefined, engine: Engine, context: Context) {
  if (agent === undefined || !Array.isArray(result) || result.length > 0) return;
  const names = (await engine.storage.records.agents()).map(({ name }) => name);
  if (names.includes(agent) || names.length === 0) return;
  const known = [...names.slice(0, 10), ...(names.length > 10 ? ['…'] : [])].join(', ');
  context.output.note(`No agent ${oneLine(agent)} has stored anything; there are: ${known}`);
}

async function call(
  verb: Verb,
  input: Record<string, unknown>,
  { agent, explain = false, yes = false }: Options,
  context: Context,
  command: Command,
): Promise<void> {
  const engine = await context.open();
  const viewer = viewerFor(verb, agent, engine);
  if (verb.operation.effect === 'destroy' && !yes && someoneIsThere()) {
    await confirmForgetting(String(input.id), viewer, engine);
  }
  try {
    const result = await verb.operation.run(engine, input, { viewer, via: 'cli' });
    verb.show(result, context, { agent, explain, input });
    await noteStranger(result, agent, engine, context);
  } catch (error) {
    throw inTermsOfFlags(error, verb.positionals, `keepsake memory ${command.name()}`);
  }
}

/** A text may come by flag as well; an id has one place only. */
function flagsBeside(positionals: readonly Positional[], flags: readonly Flag[]): Flag[] {
  const ids = positionals.filter(({ kind }) => kind === 'id').map(({ key }) => key);
  return flags.filter(({ key }) => !ids.includes(key));
}

function defineVerb(parent: Command, verb: Verb, context: Context): void {
  const { operation, positionals, actsAs } = verb;
  const command = parent
    .command(operation.name.split('.')[1]!)
    .summary(operation.summary)
    .description(operation.description);
  const flags = flagsOf(operation.input);
  for (const { key, kind } of positionals) {
    const { description } = flags.find((flag) => flag.key === key)!;
    command.argument(kind === 'id' ? `<${key}>` : `[${key}...]`, description);
  }
  const whose =
    actsAs === 'owner' ? 'Only what this agent may see and do' : 'Whose memory it is; else the default agent';
  command.option('--agent <name>', whose);
  addFlags(command, flagsBeside(positionals, flags));
  if (operation.name === 'memory.search') command.option('--explain', 'Show every factor of each score');
  if (operation.effect === 'destroy') command.option('--yes', 'Do not ask');
  addExamples(command, verb.examples, context);
  command.action(async (...args: unknown[]) => {
    const options = command.opts<Options & Record<string, unknown>>();
    const input = await callInput(positionals, args, flags, options, (text) => context.output.note(text));
    await call(verb, input, options, context, command);
  });
}

export function define(parent: Command, context: Context): void {
  parent.description(
    'Adds, finds, changes and forgets memories. Without --agent, reading covers the whole workspace.',
  );
  for (const verb of VERBS) defineVerb(parent, verb, context);
  addExamples(
    parent,
    [
      'keepsake memory add "Prefers short answers."',
      'keepsake memory search "answers"',
      'keepsake memory list --agent my-agent',
    ],
    context,
  );
}
