/** Every route of the server, in the order in which they are tried. */
import { setCookie } from 'hono/cookie';
import type { AnyVerb } from '../../kernel/verb.ts';
import { z } from '../../kernel/zod.ts';
import { VERBS } from '../../verbs.ts';
import { INSPECTOR_HTML, readAsset, usedLinkPage } from '../inspector/index.ts';
import { jsonAnswer, pageAnswer, textAnswer } from './answers.ts';
import { cookieName } from './authenticate.ts';
import { EVENT_ROUTES } from './events/routes.ts';
import { KEY_ROUTES } from './key-routes.ts';
import { MCP_ROUTES } from './mcp-routes.ts';
import { openApi } from './openapi.ts';
import { docsPage } from './pages/docs-page.ts';
import { siteAddress } from './pages/site.ts';
import type { Route } from './route.ts';
import { SWARM_ROUTES } from './swarm/routes.ts';
import { verbRoutes } from './verb-routes.ts';

const HTML = { type: 'text/html', schema: z.string() } as const;

const PAGE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/',
    role: 'anyone',
    summary: 'The inspector.',
    response: HTML,
    handle: (context, { browser }) => {
      const token = context.req.query('token');
      if (token === undefined) return pageAnswer(context, INSPECTOR_HTML);
      const session = browser.redeem(token);
      if (session === undefined) return pageAnswer(context, usedLinkPage(context.req.url), 401);
      const secure = new URL(context.req.url).protocol === 'https:';
      setCookie(context, cookieName(context), session, {
        ...{ httpOnly: true, sameSite: 'Strict', path: '/', secure },
      });
      context.header('referrer-policy', 'no-referrer');
      context.header('cache-control', 'no-store');
      return context.redirect('/', 303);
    },
  },
  {
    method: 'GET',
    path: '/assets/:name',
    role: 'anyone',
    summary: 'Files of the pages.',
    response: { type: '*/*', schema: z.string() },
    handle: async (context) => {
      const { type, body } = await readAsset(context.req.param('name') ?? '');
      return textAnswer(context, body, {
        ...{ 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' },
        'content-security-policy': "default-src 'none'",
      });
    },
  },
  {
    method: 'GET',
    path: '/docs',
    role: 'anyone',
    summary: 'This description, as a page.',
    response: HTML,
    handle: (context, { version, routes }) =>
      pageAnswer(context, docsPage(routes, version, new URL(context.req.url).origin)),
  },
  {
    method: 'GET',
    path: '/guide',
    role: 'anyone',
    summary: 'Leads to the documentation: the site where it was built, else the description of the API.',
    response: HTML,
    handle: (context, { site, version }) => context.redirect(siteAddress(site, version) ?? '/docs', 302),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    role: 'anyone',
    summary: 'This description, for programs.',
    response: { type: 'application/json', schema: z.object({ openapi: z.string() }).loose() },
    handle: (context, { version, routes }) => jsonAnswer(context, openApi(routes, version)),
  },
];

const readiness = z.strictObject({
  ready: z.boolean(),
  backends: z.array(
    z.strictObject({
      name: z.string().describe('The engine.'),
      holds: z.string().describe('What it holds.'),
      up: z.boolean(),
      required: z.boolean().describe('Whether calls fail while it is down.'),
      since: z.string().describe('Since when it is up or down, as far as this server knows.'),
    }),
  ),
});

const CARE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/healthz',
    role: 'anyone',
    summary: 'Health check.',
    response: { type: 'application/json', schema: z.strictObject({ ok: z.boolean() }) },
    handle: (context, { isClosing }) => {
      const ok = !isClosing();
      return jsonAnswer(context, { ok }, { status: ok ? 200 : 503 });
    },
  },
  {
    method: 'GET',
    path: '/readyz',
    role: 'anyone',
    summary: 'Readiness check: whether every backend that calls need answers.',
    response: { type: 'application/json', schema: readiness },
    handle: async (context, { backends, isClosing }) => {
      const states = await backends.check();
      const ready = !isClosing() && states.every(({ up, required }) => up || !required);
      // Why it is down may name addresses: that is for the log and for /metrics.
      const shown = states.map(({ name, holds, up, required, since }) => ({
        ...{ name, holds, up, required, since: new Date(since).toISOString() },
      }));
      return jsonAnswer(context, { ready, backends: shown }, { status: ready ? 200 : 503 });
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    role: 'admin',
    openToLoopback: true,
    summary: 'Counters for Prometheus.',
    response: { type: 'text/plain', schema: z.string() },
    handle: async (context, _caller, { metrics, engine, backends }) =>
      textAnswer(context, await metrics.text(engine, backends), {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      }),
  },
  {
    method: 'POST',
    path: '/v1/browser/link',
    role: 'admin',
    summary: 'Makes a link that opens the inspector once.',
    response: { type: 'application/json', schema: z.strictObject({ path: z.string() }) },
    handle: (context, _caller, { browser }) =>
      jsonAnswer(context, { path: `/?token=${browser.issue()}` }, { status: 201 }),
  },
];

export function routesFor(verbs: readonly AnyVerb[]): Route[] {
  return [
    ...CARE_ROUTES,
    ...PAGE_ROUTES,
    ...EVENT_ROUTES,
    ...KEY_ROUTES,
    ...MCP_ROUTES,
    ...SWARM_ROUTES,
    ...verbRoutes(verbs),
  ];
}

export const ROUTES: readonly Route[] = routesFor(VERBS);
