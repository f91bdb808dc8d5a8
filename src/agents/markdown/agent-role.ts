/** The roles that an agent file may set; admin is not one of them, because the owner of a workspace is a person. */
import type { Role } from '../../kernel/scope.ts';

export const AGENT_ROLES = ['lead', 'worker', 'reader'] as const satisfies readonly Role[];
export type AgentRole = (typeof AGENT_ROLES)[number];
