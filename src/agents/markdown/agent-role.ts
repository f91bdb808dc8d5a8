/** The roles that the file of an agent may give it: the owner of a workspace is a person, never an agent. */
import type { Role } from '../../kernel/scope.ts';

export const AGENT_ROLES = ['lead', 'worker', 'reader'] as const satisfies readonly Role[];
export type AgentRole = (typeof AGENT_ROLES)[number];
