/** MCP over HTTP at /mcp, for the identity of the key that asks. */
import type { Context } from 'hono';
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import type { GuardedRoute, Method, ServerParts } from './route.ts';

async function handle({ req }: Context, { viewer }: Caller, { engine }: ServerParts): Promise<Response> {
  // Only servers that are asked for it load the protocol.
  const { mcpFetch, packNames } = await import('../mcp/index.ts');
  // An owner acts for one agent here, the default one if the key names none: as over stdio.
  const { user, role } = viewer;
  const agent = viewer.agent ?? (user === undefined ? engine.config.name : undefined);
  const identity = { role: role === 'admin' ? ('worker' as const) : role, ...defined({ agent, user }) };
  const packs = req.query('packs');
  return mcpFetch(engine, identity, packs === undefined ? {} : { packs: packNames(packs) })(req.raw);
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
