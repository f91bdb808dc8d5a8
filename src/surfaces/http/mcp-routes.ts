/** MCP over HTTP at /mcp, for the identity of the key that asks. */
import type { Context } from 'hono';
import type { Caller } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import { ERROR_TABLE, type ErrorCode } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import type { McpServerSettings } from '../mcp/index.ts';
import { announcedBytes } from './fair-share.ts';
import { MAX_BODY, readBody } from './read-body.ts';
import type { AuditedCall, GuardedRoute, Method, ServerParts } from './route.ts';

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

type Around = NonNullable<McpServerSettings['around']>;

/** Calls of tools wait for the turn of their key, and are in the audit trail, as those of REST. */
function aroundFor(context: Context, key: string, { shares }: ServerParts): Around {
  const audit = context.get('audit') as (call: AuditedCall) => void;
  const bytes = announcedBytes(context.req.method, (name) => context.req.header(name));
  return async ({ verb, effect }, call) => {
    const end = await shares.take(key, bytes);
    try {
      const result = await call();
      const error = result._meta?.['keepsake/error'] as { readonly code: ErrorCode } | undefined;
      audit({ name: verb, effect, status: error === undefined ? 200 : ERROR_TABLE[error.code].http });
      return result;
    } finally {
      end();
    }
  };
}

async function handle(context: Context, caller: Caller, parts: ServerParts): Promise<Response> {
  const { req } = context;
  const { engine } = parts;
  const { viewer, key = '' } = caller;
  // Only servers that are asked for it load the protocol.
  const { mcpFetch, packNames } = await import('../mcp/index.ts');
  // An owner acts for one agent here, the default one if the key names none: as over stdio.
  const { user, role } = viewer;
  const agent = viewer.agent ?? (user === undefined ? engine.config.name : undefined);
  const identity = { role: role === 'admin' ? ('worker' as const) : role, ...defined({ agent, user }) };
  const packs = req.query('packs');
  return mcpFetch(engine, identity, {
    around: aroundFor(context, key, parts),
    ...(packs === undefined ? {} : { packs: packNames(packs) }),
  })(await limited(context));
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
