/** The server as a function from request to response: checks first, then the route, then one shape for every failure. */
import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { KeepsakeError } from '../../kernel/errors.ts';
import { errorAnswer, nameRequest, sign } from './answers.ts';
import { admit } from './authenticate.ts';
import { FixedFirst } from './fixed-first.ts';
import { isKnownHost, isOwnOrigin } from './host-policy.ts';
import type { Route, ServerParts } from './route.ts';

/** Handed back to the caller, and so taken from him only when it is harmless. */
function requestIdOf(context: Context): string {
  const given = context.req.header('x-request-id');
  return given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Requests for a proxy name a server of their own in the address; the one in the header would be checked, and the other one used. */
function isForProxy({ env }: Context): boolean {
  const target = (env as { incoming?: { url?: string } } | undefined)?.incoming?.url ?? '/';
  return !target.startsWith('/');
}

function refuseStrangers(context: Context, { hosts }: ServerParts): void {
  const host = context.req.header('host');
  if (!isKnownHost(host, hosts) || isForProxy(context)) {
    throw new KeepsakeError('FORBIDDEN', 'This server is not known by that name.', {
      hint: 'Use its address, or start it with --allow-host <name>.',
    });
  }
  if (!isOwnOrigin(context.req.header('origin'), host)) {
    throw new KeepsakeError('FORBIDDEN', 'Pages of other sites may not use this server.', {
      hint: 'Call it from a program, or from a page that it served itself.',
    });
  }
}

function explain(thrown: unknown, requestId: string, { onDefect }: ServerParts): KeepsakeError {
  if (KeepsakeError.is(thrown) && thrown.code !== 'INTERNAL') return thrown;
  onDefect(thrown, requestId);
  return new KeepsakeError('INTERNAL', 'The server failed; this is a defect in Keepsake.', {
    hint: 'Report it with what the log of the server says about this request.',
    details: { requestId },
  });
}

function handlerOf(route: Route, parts: ServerParts) {
  const counter = parts.metrics.counter(route.method, route.path);
  return async (context: Context): Promise<Response> => {
    const started = performance.now();
    const requestId = requestIdOf(context);
    nameRequest(context, requestId);
    let response: Response;
    try {
      refuseStrangers(context, parts);
      response =
        route.role === 'anyone'
          ? await route.handle(context, parts)
          : await route.handle(context, await admit(context, route, parts), parts);
      sign(response, requestId);
    } catch (thrown) {
      response = errorAnswer(explain(thrown, requestId, parts), requestId);
    }
    if (parts.isClosing()) response.headers.set('connection', 'close');
    counter(response.status, (performance.now() - started) / 1000);
    return response;
  };
}

const METHOD_NOT_ALLOWED = 405;

/** By which an address can be asked for. Where a part of it varies, a misspelt verb is more likely than a wrong method. */
function methodsOf(routes: readonly Route[], path: string): string[] {
  return [...new Set(routes.filter((route) => route.path === path).map(({ method }) => method))];
}

export function createApp(parts: ServerParts): Hono {
  const app = new Hono({ router: new FixedFirst() });
  for (const route of parts.routes) app.on(route.method, route.path, handlerOf(route, parts));
  app.notFound((context) => {
    const methods = methodsOf(parts.routes, context.req.path);
    if (methods.length === 0) {
      const error = new KeepsakeError('NOT_FOUND', 'There is no such route.', {
        hint: 'GET /docs shows which there are.',
      });
      return errorAnswer(error, requestIdOf(context));
    }
    const error = new KeepsakeError('UNSUPPORTED', `${context.req.method} is not possible here.`, {
      hint: `This address takes ${methods.join(', ')}; GET /docs shows what each does.`,
    });
    const response = errorAnswer(error, requestIdOf(context), METHOD_NOT_ALLOWED);
    response.headers.set('allow', methods.join(', '));
    return response;
  });
  return app;
}
