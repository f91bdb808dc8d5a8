/** A server without a network: requests go to its app as they would arrive, on a workspace of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { keysCreate, openKeyRing, openKeyUse } from '../../../../src/administration/keys.ts';
import type { Client } from '../../../../src/index.ts';
import type { Role } from '../../../../src/kernel/scope.ts';
import type { AnyVerb } from '../../../../src/kernel/verb.ts';
import { createApp } from '../../../../src/surfaces/http/app.ts';
import { BrowserSessions } from '../../../../src/surfaces/http/browser-sessions.ts';
import { EventFeed } from '../../../../src/surfaces/http/events/event-feed.ts';
import { FairShare } from '../../../../src/surfaces/http/fair-share.ts';
import type { HostPolicy } from '../../../../src/surfaces/http/host-policy.ts';
import { RateLimit } from '../../../../src/surfaces/http/rate-limit.ts';
import { ROUTES, routesFor } from '../../../../src/surfaces/http/routes.ts';
import { AuditTrail, Backends, Metrics, ServerLog } from '../../../../src/surfaces/http/watch/index.ts';
import type { FakeClock } from '../../../../src/testing/index.ts';
import { testWorkspace } from '../../../fixtures/workspace.ts';

export interface Ask {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface TestServer {
  readonly folder: string;
  readonly client: Client;
  readonly clock: FakeClock;
  readonly ownerKey: string;
  readonly browser: BrowserSessions;
  readonly defects: unknown[];
  readonly audit: AuditTrail;
  readonly keyUse: ReturnType<typeof openKeyUse>;
  /** Entries of the log of the server. */
  logged(): Record<string, unknown>[];
  /** `ask('GET /v1/memory', { key })`. */
  ask(route: string, options?: Ask): Promise<Response>;
  makeKey(role: Role, agent?: string): Promise<{ id: string; key: string }>;
}

export async function testServer(
  hosts: HostPolicy = { bound: '127.0.0.1', names: [] },
  requestsPerSecond = 1_000_000,
  verbs?: readonly AnyVerb[],
): Promise<TestServer> {
  const workspace = testWorkspace();
  const { folder, clock } = workspace;
  const client = workspace.open();
  const engine = await client.open();
  const { keys, serverKeyFile } = openKeyRing(engine.paths, clock);
  const keyUse = openKeyUse(engine.paths, engine.lock, clock);
  const feed = new EventFeed(engine.storage.events, engine.hub);
  onTestFinished(() => feed.close());
  const browser = new BrowserSessions(clock);
  const defects: unknown[] = [];
  const routes = verbs === undefined ? ROUTES : routesFor(verbs);
  const lines: string[] = [];
  const log = new ServerLog({
    ...{ format: 'json', level: 'debug', clock, write: (line) => lines.push(line) },
  });
  const audit = new AuditTrail({ folder: join(folder, 'data/audit'), days: 30, clock, log });
  const app = createApp({
    ...{
      engine,
      keys,
      feed,
      browser,
      metrics: new Metrics(),
      hosts,
      version: '0.0.0',
      routes,
      log,
      audit,
      keyUse,
    },
    backends: new Backends(engine, log),
    rate: new RateLimit(clock, requestsPerSecond),
    shares: new FairShare(),
    site: new URL('file:///nowhere/'),
    isClosing: () => false,
    onDefect: (error) => defects.push(error),
  });
  return {
    ...{ folder, client, clock, browser, defects, audit, keyUse },
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    ownerKey: readFileSync(serverKeyFile, 'utf8').trim(),
    ask: async (route, { key, headers = {}, body } = {}) => {
      const [method = 'GET', path = '/'] = route.split(' ');
      return app.request(path, {
        method,
        headers: {
          host: '127.0.0.1:4444',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
    makeKey: (role, agent) =>
      keysCreate(
        { name: `${role} ${agent ?? ''}`, role, ...(agent === undefined ? {} : { agent }) },
        { workspace: folder, clock },
      ),
  };
}

export async function errorCode(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return error.code;
}
