/** The server as a function from request to response: checks first, then the route, then one shape for every failure. */
import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { ApiKey } from '../../administration/keys.ts';
import type { Caller } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { tracing } from '../../kernel/tracing.ts';
import { errorAnswer, nameRequest, sign } from './answers.ts';
import { callerOf, countRequest, knownKey } from './authenticate.ts';
import { announcedBytes } from './fair-share.ts';
import { FixedFirst } from './fixed-first.ts';
import { isKnownHost, isOwnOrigin } from './host-policy.ts';
import { siteRoute } from './pages/site.ts';
import type { AuditedCall, GuardedRoute, Route, ServerParts } from './route.ts';
import { levelOf } from './watch/index.ts';

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

/** Of the database, not of a file that somebody sent. */
function isAboutSchema({ code, details }: KeepsakeError): boolean {
  return code === 'TOO_NEW' && typeof details.known === 'number';
}

function explain(thrown: unknown, requestId: string, { onDefect }: ServerParts): KeepsakeError {
  if (KeepsakeError.is(thrown) && thrown.code !== 'INTERNAL') return thrown;
  onDefect(thrown, requestId);
  return new KeepsakeError('INTERNAL', 'The server failed; this is a defect in Keepsake.', {
    hint: 'Report it with what the log of the server says about this request.',
    details: { requestId },
  });
}

/** Asked by machines every few seconds, so they are worth a line only when they fail. */
const OFTEN = ['/healthz', '/readyz', '/metrics', '/assets/:name'];

interface Outcome {
  readonly route: Route;
  readonly requestId: string;
  readonly status: number;
  readonly seconds: number;
  readonly dryRun: boolean;
  key?: ApiKey;
  caller?: Caller;
  error?: KeepsakeError;
}

/** One line in the log, and one in the audit trail for a change or for a look at the memory of others. */
function record(outcome: Outcome, { log, audit }: ServerParts): void {
  const { route, requestId, status, seconds, dryRun, key, caller, error } = outcome;
  const { method, path } = route;
  const isRoutine = OFTEN.includes(path) && status < 400;
  log.add(isRoutine ? 'debug' : levelOf(status), 'request', {
    ...{ requestId, method, route: path, status, ms: Math.round(seconds * 10_000) / 10 },
    ...{ key: key?.id, agent: caller?.viewer.agent, code: error?.code },
  });
  if (route.role === 'anyone' || key === undefined || caller === undefined) return;
  const audited = route.verb ?? route.audited;
  if (audited === undefined) return;
  addToTrail({ ...audited, status, dryRun }, { requestId, key, caller }, audit);
}

type Known = Required<Pick<Outcome, 'requestId' | 'key' | 'caller'>>;

function addToTrail(call: AuditedCall, { requestId, key, caller }: Known, audit: ServerParts['audit']): void {
  const { name: verb, effect, status, dryRun = false } = call;
  const { role, agent } = caller.viewer;
  const isAboutOthers = agent === undefined || agent !== key.agent;
  if (effect === 'read' && !isAboutOthers) return;
  audit.add({
    ...{ requestId, key: key.id, role, ...defined({ agent }), verb, effect, status },
    ...(dryRun ? { dryRun } : {}),
  });
}

/** Verbs are work; streams and pages stay open for as long as somebody looks at them, and count for nothing. */
async function inTurn(
  { req }: Context,
  route: GuardedRoute,
  key: ApiKey,
  { shares }: ServerParts,
  work: () => Response | Promise<Response>,
): Promise<Response> {
  if (route.verb === undefined) return work();
  const end = await shares.take(
    key.id,
    announcedBytes(route.method, (name) => req.header(name)),
  );
  try {
    return await work();
  } finally {
    end();
  }
}

/** A caller that traces sends the number of its span along. */
function continued({ req }: Context, handle: () => Promise<Response>): Promise<Response> {
  const parent = req.header('traceparent');
  const found = parent === undefined ? undefined : tracing();
  return found === undefined ? handle() : found.continued({ traceparent: parent! }, handle);
}

function handlerOf(route: Route, parts: ServerParts) {
  const counter = parts.metrics.counter(route.method, route.path);
  return async (context: Context): Promise<Response> => {
    const started = performance.now();
    const requestId = requestIdOf(context);
    nameRequest(context, requestId);
    const seen: Pick<Outcome, 'key' | 'caller' | 'error'> = {};
    let response: Response;
    try {
      refuseStrangers(context, parts);
      if (route.role === 'anyone') response = await route.handle(context, parts);
      else {
        seen.key = knownKey(context, route, parts);
        parts.keyUse.note(seen.key.id);
        await countRequest(seen.key, parts);
        seen.caller = callerOf(context, route, seen.key);
        const known = { requestId, key: seen.key, caller: seen.caller };
        context.set('audit', (call: AuditedCall) => addToTrail(call, known, parts.audit));
        const handle = async (): Promise<Response> => route.handle(context, known.caller, parts);
        response = await inTurn(context, route, seen.key, parts, () => continued(context, handle));
      }
      sign(response, requestId);
    } catch (thrown) {
      seen.error = explain(thrown, requestId, parts);
      if (isAboutSchema(seen.error)) parts.backends.isOutdated(seen.error.message);
      response = errorAnswer(seen.error, requestId);
    }
    if (parts.isClosing()) response.headers.set('connection', 'close');
    const seconds = (performance.now() - started) / 1000;
    counter(response.status, seconds);
    const dryRun = context.get('dryRun') === true;
    record({ route, requestId, status: response.status, seconds, dryRun, ...seen }, parts);
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
  const site = siteRoute(parts.site, parts.version);
  app.on(site.method, site.path, handlerOf(site, parts));
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
