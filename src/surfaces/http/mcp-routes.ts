/** MCP over HTTP at /mcp, for the identity of the key that asks. */
import type { Context } from 'hono';
import type { Caller } from '../../kernel/caller.ts';
import type { GuardedRoute, Method, ServerParts } from './route.ts';

async function handle({ req }: Context, { viewer }: Caller, { engine }: ServerParts): Promise<Response> {
  // Only servers that are asked for it load the protocol.
  const { mcpFetch } = await import('../mcp/index.ts');
  // The owner of the workspace acts for its default agent here, as over stdio.
  const identity =
    viewer.agent === undefined
      ? { agent: engine.config.name, role: viewer.role === 'admin' ? ('worker' as const) : viewer.role }
      : viewer;
  return mcpFetch(engine, identity)(req.raw);
}

export const MCP_ROUTES: readonly GuardedRoute[] = (['POST', 'GET', 'DELETE'] satisfies Method[]).map(
  (method) => ({
    method,
    path: '/mcp',
    role: 'reader',
    summary: 'The Model Context Protocol, streamable HTTP.',
    handle,
  }),
);
