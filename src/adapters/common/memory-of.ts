/** Finds the memory that an adapter works on: a client of the program or a shared one, and the agent, user and thread in it. */
import { type AgentHandle, type Client, createClient } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';
import type { WhichStore, WhoseMemory } from './options.ts';

const DEFAULT_AGENT = 'assistant';

/** Clients that adapters made by themselves, by what they were made of. */
const shared = new Map<string, Client>();

export function clientOf({ client, workspace, url, apiKey }: WhichStore): Client {
  if (client !== undefined) return client;
  const key = JSON.stringify([workspace, url, apiKey]);
  const known = shared.get(key);
  if (known !== undefined) return known;
  const made = createClient(defined({ workspace, url, apiKey }));
  shared.set(key, made);
  return made;
}

/** The memory and the log of one agent, for one user and in one thread where these are given. */
export function memoryOf({
  agent = DEFAULT_AGENT,
  user,
  thread,
  ...store
}: WhoseMemory & WhichStore): AgentHandle {
  const handle = clientOf(store).agent({ name: agent, ...defined({ user }) });
  return thread === undefined ? handle : handle.conversation(thread);
}

/** Closes the clients that adapters made by themselves; those of the program are its own to close. */
export async function closeSharedClients(): Promise<void> {
  const clients = [...shared.values()];
  shared.clear();
  await Promise.all(clients.map((client) => client.close()));
}
