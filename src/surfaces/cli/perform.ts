/** Runs a verb for whoever typed the command, shows its answer, and warns of what made the answer weaker than usual. */
import type { Engine } from '../../client/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkAgentName } from '../../kernel/names.ts';
import { noticesOf } from '../../kernel/notices.ts';
import type { Viewer } from '../../kernel/scope.ts';
import { checkUserId } from '../../kernel/users.ts';
import { type AnyVerb, callVerb } from '../../kernel/verb.ts';
import type { Context } from './context.ts';
import type { Presentation, ShowOptions, VerbCall } from './show/presentation.ts';
import { oneLine, printable } from './terminal/printable.ts';

const FIRST_STEPS = 'Make one with "keepsake init", or by adding a first memory.';

export async function perform(verb: AnyVerb, presentation: Presentation, call: VerbCall): Promise<void> {
  const { engine, input, caller, options, context } = call;
  const agent = options.agent as string | undefined;
  const result: unknown = await (presentation.run?.(call) ??
    callVerb(verb, engine, input, caller, { signal: context.closing }));
  await show(presentation, result, context, { agent, options, input });
  await noteStranger(result, agent, call);
  for (const notice of noticesOf(result)) context.output.warn(printable(`warning: ${notice}`));
}

async function show(
  presentation: Presentation,
  result: unknown,
  context: Context,
  options: ShowOptions,
): Promise<void> {
  if (presentation.show !== undefined) presentation.show(result, context, options);
  else (await import('./show/generic.ts')).showAnything(result, context);
}

/** Nothing was ever stored, and a command that reads must not create a workspace. */
export async function showNothing(
  nothing: unknown,
  presentation: Presentation,
  folder: string,
  context: Context,
  options: ShowOptions,
): Promise<void> {
  if (nothing === undefined) {
    throw new KeepsakeError('NOT_FOUND', `There is nothing yet: no workspace is at ${folder}.`, {
      hint: FIRST_STEPS,
    });
  }
  await show(presentation, nothing, context, options);
  context.output.note(`No workspace is at ${folder} yet. ${FIRST_STEPS}`);
}

/** An agent or a user acts with the least role that the verb needs; without one it is the owner of the workspace. */
export function viewerFor({ role }: AnyVerb, agent: string | undefined, user?: string): Viewer {
  if (agent === undefined && user === undefined) return { role: 'admin' };
  return {
    role: role === 'lead' ? 'lead' : 'worker',
    ...(agent === undefined ? {} : { agent: checkAgentName(agent) }),
    ...(user === undefined ? {} : { user: checkUserId(user) }),
  };
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
  context.output.note(`Agent ${oneLine(agent)} has not stored anything. Known agents: ${known}`);
}

/** Every agent with a memory or a message. */
async function knownAgents({ storage }: Engine): Promise<readonly string[]> {
  const [remembering, speaking] = await Promise.all([storage.records.agents(), storage.log.threads()]);
  return [...new Set([...remembering.map(({ name }) => name), ...speaking.map(({ agent }) => agent)])];
}
