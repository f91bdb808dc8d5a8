/** The agents and users that the server knows. */
import { call } from './call.ts';

/** All that stored a memory or have a conversation, by name. */
export async function knownAgents(): Promise<readonly string[]> {
  const { role, agent } = await call('GET /v1/whoami');
  // Only leads and admins may see all of them.
  if (role !== 'lead' && role !== 'admin') return agent === null ? [] : [agent];
  const [remembering, speaking] = await Promise.all([
    call('GET /v1/agents'),
    call('POST /v1/log/list', { body: {} }),
  ]);
  return [...new Set([...remembering.map(({ name }) => name), ...speaking.map(({ agent }) => agent)])].sort();
}

/** How many of the newest memories and sessions are looked through for names. */
const LOOKED_AT = 1_000;

/** The people whom recent memories and sessions are about. */
export async function knownUsers(): Promise<readonly string[]> {
  const query = { agent: '', user: '', category: '', source: '', state: 'any', limit: LOOKED_AT } as const;
  const [memories, { sessions }] = await Promise.all([
    call('GET /v1/memory', { query }),
    call('POST /v1/session/list', { body: { limit: LOOKED_AT } }),
  ]);
  return [...new Set([...memories, ...sessions].flatMap(({ user }) => user ?? []))].sort();
}
