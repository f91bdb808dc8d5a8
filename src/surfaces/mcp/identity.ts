/** The agent and user of a connection, set when it is started or authenticated, never by tool arguments. */

import type { Engine } from '../../client/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkAgentName } from '../../kernel/names.ts';
import { ROLES, type Role, type Viewer } from '../../kernel/scope.ts';
import { checkUserId } from '../../kernel/users.ts';

export interface Identity extends Viewer {
  /** Named in events, so that the writes of one connection can be told from those of another. */
  readonly session?: string;
  /** One of many projects of the same person, who may want something to be known in all of them. */
  readonly isProject?: boolean;
}

export interface IdentityFlags {
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly role?: string | undefined;
  /** Who it is when neither those nor the environment say so. */
  readonly otherwise?: { readonly agent?: string | undefined; readonly role?: Role } | undefined;
}

/** Owners use the command line; a program that speaks MCP acts for one agent. */
const CONNECTED_ROLES = ROLES.filter((role) => role !== 'admin');

function checkRole(role: string): Role {
  const known = CONNECTED_ROLES.find((name) => name === role);
  if (known !== undefined) return known;
  throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(role)} is not a role.`, {
    hint: `Choose one of ${CONNECTED_ROLES.join(', ')}.`,
  });
}

/** Flags, else KEEPSAKE_AGENT, KEEPSAKE_USER and KEEPSAKE_ROLE, else what the caller says, else the default agent of the workspace as a worker. */
export function identityFrom(
  { otherwise = {}, ...flags }: IdentityFlags,
  { config, env }: Pick<Engine, 'config' | 'env'>,
): Identity {
  const agent = flags.agent ?? (env.KEEPSAKE_AGENT?.trim() || otherwise.agent || config.name);
  const role = flags.role ?? (env.KEEPSAKE_ROLE?.trim() || otherwise.role || 'worker');
  // As it is given: with a space before it, an id is another one.
  const user = flags.user ?? (env.KEEPSAKE_USER?.trim() ? env.KEEPSAKE_USER : undefined);
  return {
    ...{ agent: checkAgentName(agent), role: checkRole(role) },
    ...(user === undefined ? {} : { user: checkUserId(user) }),
  };
}

export function callerOf({ agent, user, role, session }: Identity): Caller {
  return { viewer: { role, ...defined({ agent, user }) }, via: 'mcp', ...defined({ session }) };
}
