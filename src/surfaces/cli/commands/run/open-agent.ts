/** Opens an agent that a file defines, with a client of its own, and closes it when the work is done. */
import {
  type AgentDefinition,
  agentSettings,
  agentsFind,
  type FoundAgent,
} from '../../../../administration/agent-definitions.ts';
import type { AgentHandle, Client, Engine } from '../../../../client/index.ts';
import { defined } from '../../../../kernel/defined.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import type { Context } from '../../context.ts';

export type Session = Awaited<ReturnType<AgentHandle['session']>>;

export interface OpenAgent {
  readonly client: Client;
  readonly engine: Engine;
  readonly definition: AgentDefinition;
  readonly handle: AgentHandle;
}

/** Reads the file only: what is wrong with it is told before anything is opened. */
export async function findAgent(name: string, context: Context): Promise<FoundAgent> {
  // Refuses a mistyped --workspace.
  await context.missingWorkspace();
  const found = await agentsFind({ workspace: context.workspace, name }).catch(async (error: unknown) => {
    if (KeepsakeError.is(error) && error.code === 'NOT_FOUND') await context.noteAgentsHere();
    throw error;
  });
  for (const warning of found.workspace.warnings) context.output.note(`warning: ${warning}`);
  return found;
}

export async function openClient({ workspace }: Context): Promise<Client> {
  const { createClient } = await import('../../../../client/index.ts');
  return createClient({ via: 'cli', ...defined({ workspace }) });
}

export async function openAgent(client: Client, definition: AgentDefinition): Promise<OpenAgent> {
  const engine = await client.open();
  const handle = client.agent(agentSettings(definition, engine.config));
  return { client, engine, definition, handle };
}

export async function withAgent<T>(
  name: string,
  context: Context,
  work: (agent: OpenAgent) => Promise<T>,
): Promise<T> {
  const { definition } = await findAgent(name, context);
  const client = await openClient(context);
  try {
    return await work(await openAgent(client, definition));
  } finally {
    await client.close();
  }
}
