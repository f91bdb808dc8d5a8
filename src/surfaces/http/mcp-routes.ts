/** MCP over HTTP at /mcp, for the identity of the key that asks. */
import type { Context } from 'hono';
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import { MAX_BODY, readBody } from './read-body.ts';
import type { GuardedRoute, Method, ServerParts } from './route.ts';

/** The same request with a body that was read already, and is not larger than others may be. */
async function limited(context: Context): Promise<Request> {
  const { raw } = context.req;
  if (raw.method !== 'POST') return raw;
  const body = await readBody(context, MAX_BODY);
  return new Request(raw.url, {
    method: raw.method,
    headers: raw.headers,
    signal: raw.signal,
    body,
  });
}

async function handle(context: Context, { viewer }: Caller, { engine }: ServerParts): Promise<Response> {
  const { req } = context;
  // Only servers that are asked for it load the protocol.
  const { mcpFetch, packNames } = await import('../mcp/index.ts');
  // An owner acts for one agent here, the default one if the key names none: as over stdio.
  const { user, role } = viewer;
  const agent = viewer.agent ?? (user === undefined ? engine.config.name : undefined);
  const identity = { role: role === 'admin' ? ('worker' as const) : role, ...defined({ agent, user }) };
  const packs = req.query('packs');
  return mcpFetch(
    engine,
    identity,
    packs === undefined ? {} : { packs: packNames(packs) },
  )(await limited(context));
}

export const MCP_ROUTES: readonly GuardedRoute[] = (['POST', 'GET', 'DELETE'] satisfies Method[]).map(
  (method) => ({
    method,
    path: '/mcp',
    role: 'reader',
    summary: 'The Model Context Protocol, streamable HTTP; ?packs=facts,sections chooses the tools.',
    response: { type: 'application/json' as const, schema: z.object({ jsonrpc: z.literal('2.0') }).loose() },
    handle,
  }),
);
