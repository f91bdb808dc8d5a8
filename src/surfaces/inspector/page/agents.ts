/** The agents that the server knows. */
import { call } from './call.ts';

/** All that stored a memory or have a conversation, by name. */
export async function knownAgents(): Promise<readonly string[]> {
  const [remembering, speaking] = await Promise.all([
    call('GET /v1/agents'),
    call('POST /v1/log/list', { body: {} }),
  ]);
  return [...new Set([...remembering.map(({ name }) => name), ...speaking.map(({ agent }) => agent)])].sort();
}
