/** Names of roles in MEMORY.md. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { isHeadingRole } from '../formats/heading.ts';
import { modelRole } from './message.ts';

export const USER = 'User';
export const SYSTEM = 'System';
const TOOL = 'Tool';

/** An agent named after a role could not be told apart from it in the file. */
export function refuseRoleAsName(agent: string): void {
  if (modelRole(agent, agent) === 'assistant') return;
  throw new KeepsakeError('INVALID_NAME', `An agent cannot be called "${agent}": that is a role.`, {
    hint: 'Choose another name, for example one that says what the agent does.',
  });
}

/** "user" is written "User", "assistant" is the agent itself, and another agent's name is itself. */
export function roleName(role: string, agent: string): string {
  const known: Readonly<Record<string, string>> = {
    user: USER,
    system: SYSTEM,
    tool: TOOL,
    assistant: agent,
  };
  const word = typeof role === 'string' ? role.toLowerCase() : '';
  const name = Object.hasOwn(known, word) ? known[word]! : role;
  if (typeof name === 'string' && isHeadingRole(name)) return name;
  throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(role)} cannot be a role.`, {
    hint: `Use "${USER}", "${SYSTEM}", "${TOOL}" or "${agent}".`,
  });
}
