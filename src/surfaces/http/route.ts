/** The type of a route; every route must declare its minimum role. */
import type { Context } from 'hono';
import type { KeyRing, openKeyUse } from '../../administration/keys.ts';
import type { Engine } from '../../client/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Role } from '../../kernel/scope.ts';
import type { AnyVerb, Effect } from '../../kernel/verb.ts';
import type { z } from '../../kernel/zod.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { EventFeed } from './events/event-feed.ts';
import type { FairShare } from './fair-share.ts';
import type { HostPolicy } from './host-policy.ts';
import type { RateLimit } from './rate-limit.ts';
import type { AuditTrail, Backends, Metrics, ServerLog } from './watch/index.ts';

/** What the routes of one server share. */
export interface ServerParts {
  readonly engine: Engine;
  readonly keys: KeyRing;
  readonly keyUse: ReturnType<typeof openKeyUse>;
  readonly feed: EventFeed;
  readonly browser: BrowserSessions;
  readonly metrics: Metrics;
  readonly log: ServerLog;
  readonly backends: Backends;
  readonly audit: AuditTrail;
  readonly hosts: HostPolicy;
  readonly rate: RateLimit;
  readonly shares: FairShare;
  readonly version: string;
  /** Where builds of the documentation are, each under its version. */
  readonly site: URL;
  readonly routes: readonly Route[];
  /** True while the server finishes what was begun. */
  readonly isClosing: () => boolean;
  /** Hears of failures that are nobody's mistake but ours. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/** What a line of the audit trail is made from. A handler that makes several calls, as MCP does, adds them with `context.get('audit')`. */
export interface AuditedCall {
  readonly name: string;
  readonly effect: Effect;
  readonly status: number;
  readonly dryRun?: boolean;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RouteBase {
  readonly method: Method;
  /** With `:name` for a part that varies. */
  readonly path: string;
  readonly summary: string;
  readonly response: RouteResponse;
}

/** What a success looks like, for the description of the API. */
export interface RouteResponse {
  readonly type: 'application/json' | 'text/html' | 'text/plain' | 'text/event-stream' | '*/*';
  readonly schema: z.ZodType;
}

export interface OpenRoute extends RouteBase {
  /** Says nothing about the workspace. */
  readonly role: 'anyone';
  handle(context: Context, parts: ServerParts): Response | Promise<Response>;
}

export interface GuardedRoute extends RouteBase {
  /** The least role that may use it. */
  readonly role: Role;
  /** The verb behind it, if it is one; the description of the API is made from it. */
  readonly verb?: AnyVerb;
  /** Its name in the audit trail, where no verb is behind it. */
  readonly audited?: { readonly name: string; readonly effect: Effect };
  /** Query parameters whose name differs from the input's. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Whether a program on the same machine needs no key when `server.metrics` is "loopback". */
  readonly openToLoopback?: true;
  handle(context: Context, caller: Caller, parts: ServerParts): Response | Promise<Response>;
}

export type Route = OpenRoute | GuardedRoute;
