/** Authenticates a request: its key, and the agent and user it acts for. */

import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ApiKey } from '../../administration/keys.ts';
import { type Caller, EVERY_AGENT } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkAgentName } from '../../kernel/names.ts';
import { ROLES, type Role } from '../../kernel/scope.ts';
import { checkThreadId, checkUserId } from '../../kernel/users.ts';
import { isLoopback } from './host-policy.ts';
import type { GuardedRoute, ServerParts } from './route.ts';

const LOCAL_USER: ApiKey = { id: 'browser', name: 'the local user', role: 'admin', createdAt: 0 };
const LOCAL_PROGRAM: ApiKey = { id: 'loopback', name: 'a local program', role: 'admin', createdAt: 0 };

/** Cookies know no ports: with it in the name, two servers of one machine do not share one. */
export function cookieName(context: Context): string {
  return `keepsake_${/:(\d+)$/.exec(context.req.header('host') ?? '')?.[1] ?? '80'}`;
}

/** `ROLES` is in this order already, from the most to the least. */
const rank = (role: Role): number => ROLES.length - ROLES.indexOf(role);
const lower = (a: Role, b: Role): Role => (rank(a) < rank(b) ? a : b);

/** Whoever asks has shown nothing yet, so where the keys are kept, and what is wrong with them, is for the log alone. */
function find(secret: string, { keys, onDefect }: ServerParts): ApiKey | undefined {
  try {
    return keys.find(secret);
  } catch (error) {
    onDefect(error, 'the keys');
    throw new KeepsakeError('UNAVAILABLE', 'The server cannot check keys at the moment.', {
      hint: 'Its owner finds the reason in the log of the server.',
    });
  }
}

function keyOf(context: Context, parts: ServerParts): ApiKey | undefined {
  const { browser } = parts;
  const header = context.req.header('authorization');
  if (header !== undefined) {
    const secret = /^Bearer +(\S+)$/i.exec(header)?.[1];
    return secret === undefined ? undefined : find(secret, parts);
  }
  const session = getCookie(context, cookieName(context));
  if (session === undefined || !browser.has(session)) return undefined;
  // Browsers send the cookie along whichever page asks, also one on another port of this machine.
  const site = context.req.header('sec-fetch-site');
  const isOwnPage = site === undefined || site === 'same-origin' || site === 'none';
  const isSafe = context.req.method === 'GET' || context.req.method === 'HEAD';
  const saysWhoAsks = context.req.header('origin') !== undefined || site === 'same-origin';
  return isOwnPage && (isSafe || saysWhoAsks) ? LOCAL_USER : undefined;
}

/** A program on this very machine; a proxy on it speaks for others. */
function isLocalProgram(context: Context): boolean {
  const env = context.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  const address = env?.incoming?.socket?.remoteAddress;
  const isForwarded = ['forwarded', 'x-forwarded-for'].some((name) => context.req.header(name) !== undefined);
  return address !== undefined && isLoopback(address) && !isForwarded;
}

/** As it was sent, percent-encoded. What is not, or was sent twice, would mean another user than the caller thinks. */
function decoded(header: string, name: string): string {
  try {
    // Names of agents may have spaces, and are checked by themselves.
    if (name === 'Keepsake-Agent' || /^[!-+\--~]*$/.test(header)) return decodeURIComponent(header);
  } catch {
    if (name === 'Keepsake-Agent') return header;
  }
  throw new KeepsakeError('INVALID_INPUT', `The header ${name} must be sent once and percent-encoded.`, {
    hint: `For example ${name}: ${encodeURIComponent('zoë@example.com')}, which is encodeURIComponent('zoë@example.com').`,
  });
}

/** Whom a request names, in a header (percent-encoded, since headers know no Unicode) or in the query. */
function named(context: Context, kind: 'agent' | 'user'): string | undefined {
  const header = context.req.header(`keepsake-${kind}`);
  const query = context.req.query(kind);
  if (header === undefined) return query;
  const title = `${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  const name = decoded(header, `Keepsake-${title}`);
  if (query !== undefined && query !== name) {
    throw new KeepsakeError('INVALID_INPUT', `Header and query name two different ${kind}s.`, {
      hint: `Name the ${kind} once, with the header Keepsake-${title} or with ?${kind}=.`,
    });
  }
  return name;
}

/** In a header only: "thread" in a query is a filter of memories. */
function namedThread(context: Context): string | undefined {
  const header = context.req.header('keepsake-thread');
  return header === undefined ? undefined : decoded(header, 'Keepsake-Thread');
}

/** The user of a request: the one that the key is bound to, or one that it may name. */
function userOf(context: Context, { user: own, userPrefix, role }: ApiKey): string | undefined {
  const asked = named(context, 'user');
  const user = asked === undefined ? undefined : checkUserId(asked);
  if (role === 'admin') return user;
  if (own !== undefined && user !== undefined && user !== own) {
    throw forbidden(
      'This key speaks for another user only.',
      'Use the key of that user, or one of an admin.',
    );
  }
  if (userPrefix !== undefined && user?.startsWith(userPrefix) !== true) {
    throw forbidden(
      `This key speaks for users whose ids begin with ${JSON.stringify(userPrefix)} only.`,
      'Name one of them with the header Keepsake-User or with ?user=.',
    );
  }
  return user ?? own;
}

function wantedRole(context: Context): Role | undefined {
  const wanted = context.req.header('keepsake-role');
  if (wanted === undefined || (ROLES as readonly string[]).includes(wanted))
    return wanted as Role | undefined;
  throw new KeepsakeError('INVALID_INPUT', `There is no role "${wanted.slice(0, 40)}".`, {
    hint: `Keepsake-Role is one of ${ROLES.join(', ')}.`,
  });
}

function forbidden(message: string, hint: string): KeepsakeError {
  return new KeepsakeError('FORBIDDEN', message, { hint });
}

/** Whether a key may name any agent. */
function speaksForAgents({ role, agent }: ApiKey): boolean {
  return role === 'admin' || (role === 'lead' && agent === undefined);
}

/** The identity of a call: never more than the key allows. */
function identityOf(context: Context, key: ApiKey): Caller {
  const asked = named(context, 'agent');
  const isEvery = asked === EVERY_AGENT;
  const name = asked === undefined || isEvery ? undefined : checkAgentName(asked);
  const isBound = !speaksForAgents(key);
  if (isEvery && key.agent !== undefined) {
    throw forbidden(
      `This key speaks for ${key.agent} only, and not for a user with every agent.`,
      `Use client.agent({ name: "${key.agent}", user }), with scope "swarm" for what every agent may know.`,
    );
  }
  if (isBound && name !== undefined && name !== key.agent) {
    throw forbidden(
      `This key speaks for ${key.agent ?? 'one user, and for no agent'} only.`,
      'Use the key of the other agent, or one of an admin.',
    );
  }
  const agent = name ?? key.agent;
  const user = userOf(context, key);
  const thread = namedThread(context);
  // An owner who names an agent or a user acts as that one, as with --agent and --user on the command line.
  const isNamed = name !== undefined || user !== undefined;
  const usual = key.role === 'admin' && isNamed ? 'worker' : key.role;
  const role = lower(key.role, wantedRole(context) ?? usual);
  return {
    ...{ viewer: { role, ...defined({ agent, user }) }, via: 'http', key: key.id },
    ...(thread === undefined ? {} : { thread: checkThreadId(thread) }),
    isOwner: key.role === 'admin',
  };
}

/** The key of a request to a guarded route, or the refusal. */
export function knownKey(context: Context, route: GuardedRoute, parts: ServerParts): ApiKey {
  const isOpen = route.openToLoopback === true && parts.engine.config.server.metrics === 'loopback';
  const key = keyOf(context, parts) ?? (isOpen && isLocalProgram(context) ? LOCAL_PROGRAM : undefined);
  if (key !== undefined) return key;
  throw new KeepsakeError('UNAUTHORIZED', 'This needs a valid API key.', {
    hint: 'Send "Authorization: Bearer <key>"; make a key with "keepsake keys create".',
    details: { scheme: 'Bearer' },
  });
}

/** Who a request with this key acts as, or the refusal. */
export function callerOf(context: Context, route: GuardedRoute, key: ApiKey): Caller {
  const caller = identityOf(context, key);
  if (rank(caller.viewer.role) < rank(route.role)) {
    throw forbidden(
      `This needs the role ${route.role}; the request has ${caller.viewer.role}.`,
      `Use a key with the role ${route.role}.`,
    );
  }
  return caller;
}

/** The caller of a guarded route, or the refusal. To look again whether a key still holds is not a request of its holder. */
export function authenticate(context: Context, route: GuardedRoute, parts: ServerParts): Caller {
  return callerOf(context, route, knownKey(context, route, parts));
}

/** Counts a request of a key, whatever becomes of it, or refuses it as one too many. */
export async function countRequest(key: ApiKey, { rate }: ServerParts): Promise<void> {
  // Programs of another machine are other programs.
  await rate.take(key.id, { isShared: key !== LOCAL_PROGRAM });
}
