/** MCP over HTTP: a handler of web-standard requests for one identity, to be mounted by the HTTP server. */

import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Engine } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';
import type { Identity } from './identity.ts';
import { createMcpServer, type McpServerSettings } from './server.ts';

/**
 * Serves streamable HTTP without sessions, to clients of both protocol generations. Who calls must be known before: the
 * identity is that of the authenticated key, and Host, Origin and key are checked by whoever mounts this. It holds
 * nothing between requests, so it may be made for each of them.
 */
export function mcpFetch(
  engine: Engine,
  identity: Identity,
  settings: McpServerSettings & { readonly onError?: (error: Error) => void } = {},
): (request: Request) => Promise<Response> {
  const { onError, ...rest } = settings;
  const handler = createMcpHandler(() => createMcpServer(engine, identity, rest), {
    ...defined({ onerror: onError }),
  });
  return (request) => handler.fetch(request);
}
