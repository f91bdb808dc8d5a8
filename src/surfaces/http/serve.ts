/** Binds the app to an address, and stops without aborting active requests. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { openKeyRing, openKeyUse } from '../../administration/keys.ts';
import { claimFolder } from '../../administration/shared-folder.ts';
import type { Engine } from '../../client/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { AnyVerb } from '../../kernel/verb.ts';
import { createApp } from './app.ts';
import { BrowserSessions } from './browser-sessions.ts';
import { limitConnections } from './connections.ts';
import { EventFeed } from './events/event-feed.ts';
import { FairShare } from './fair-share.ts';
import { isLoopback } from './host-policy.ts';
import { keepRetention } from './keep-retention.ts';
import { API_TITLE } from './openapi.ts';
import { siteFolder } from './pages/site.ts';
import { RateLimit } from './rate-limit.ts';
import { ROUTES, routesFor } from './routes.ts';
import { withoutFiles } from './separate-folders.ts';
import { warmUp } from './warm-up.ts';
import { AuditTrail, Backends, type LogFormat, type LogLevel, Metrics, ServerLog } from './watch/index.ts';

export interface ServeOptions {
  /** Default: all verbs of Keepsake. */
  readonly verbs?: readonly AnyVerb[];
  readonly host?: string;
  /** 0 for any that is free. */
  readonly port?: number;
  /** Names under which the server may be called, besides its address. */
  readonly allowHosts?: readonly string[];
  /** Certificate and key in PEM: the server then speaks HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly version: string;
  /** Where builds of the documentation are. Default: site/dist of the package. */
  readonly site?: URL;
  /** Default: as configured. */
  readonly log?: { readonly format?: LogFormat; readonly level?: LogLevel };
  /** Gets the lines of the log. Default: stderr. */
  readonly writeLog?: (line: string) => void;
  /** How long a client may take to say what it wants, before anybody knows who it is. */
  readonly headersMs?: number;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Opens the inspector once, without a key. */
  readonly link: string;
  readonly serverKeyFile: string;
  /** Whether this start made the key of the owner. */
  readonly isFirstStart: boolean;
  /** Uses another certificate for connections from now on; says in the log that it was asked to. */
  reload(tls: { readonly cert: string; readonly key: string } | undefined): void;
  /** Finishes the requests that were begun; the engine is closed by whoever opened it. */
  stop(): Promise<void>;
}

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 4444;
/** A request that takes longer while the server ends is broken off. */
const PATIENCE_MS = 10_000;
const SWEEP_MS = 20;
/** A server on this machine answers sooner. */
const ASKING_MS = 3_000;
const CHOOSE = 'Choose another port with --port, 0 for any that is free.';
/** Longer than proxies and clients keep a connection: whoever closes it first must not be us, in the middle of a request. */
const KEEP_ALIVE_MS = 75_000;

/** Who is there is asked without a key: a stranger must not get it. */
async function hintOnTaken(port: number, host: string): Promise<string> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const signal = AbortSignal.timeout(ASKING_MS);
    const answer = await fetch(`${url}/openapi.json`, { redirect: 'error', signal });
    const { info } = (await answer.json()) as { readonly info: { readonly title: string } };
    if (info.title !== API_TITLE) return CHOOSE;
  } catch {
    return CHOOSE;
  }
  return `Keepsake already serves there: "keepsake inspect" prints a link, if it is this workspace. ${CHOOSE}`;
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const hint = code === 'EADDRINUSE' ? await hintOnTaken(port, host) : 'Choose another address or port.';
    const message = `The server cannot listen on ${host}:${port} (${code}).`;
    throw new KeepsakeError('UNAVAILABLE', message, { hint, cause });
  }
}

/** Whoever opens connections and says nothing would keep others out; a client on a slow line needs a second. */
const HEADERS_MS = 15_000;

/** Node's own words about a certificate are for experts. */
function createServer(
  fetch: (request: Request) => Response | Promise<Response>,
  { tls, headersMs = HEADERS_MS }: ServeOptions,
): Server {
  const limits = { headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 3 };
  try {
    return createAdaptorServer(
      tls === undefined
        ? { fetch, serverOptions: limits }
        : { fetch, createServer: createTlsServer, serverOptions: { ...tls, ...limits } },
    ) as Server;
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', 'Certificate and key cannot be used together.', {
      hint: 'Give both in PEM, the key without a passphrase: --tls-cert <file> --tls-key <file>.',
      cause,
    });
  }
}

async function letGo(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // Connections that stay open between requests would keep it from closing for seconds.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const patience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(patience);
}

/** The kind of error and where it happened. The message is left out: it may quote what somebody sent. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join('\n');
}

export async function serve(given: Engine, options: ServeOptions): Promise<RunningServer> {
  const engine = withoutFiles(given);
  const { host = DEFAULT_HOST, port = DEFAULT_PORT, allowHosts = [], version } = options;
  const routes = options.verbs === undefined ? ROUTES : routesFor(options.verbs);
  const { keys, serverKeyFile, created, announce } = openKeyRing(engine.paths, engine.clock);
  if (!isLoopback(host) && keys.active().length === 0) {
    throw new KeepsakeError('FORBIDDEN', `Nobody has a key yet, so the server does not open to ${host}.`, {
      hint: 'Make one first, for example with "keepsake keys create laptop --role admin".',
    });
  }
  const { server: settings } = engine.config;
  const log = new ServerLog({
    ...{ ...settings.log, ...options.log, clock: engine.clock },
    write: options.writeLog ?? ((line) => process.stderr.write(line)),
  });
  const backends = new Backends(engine, log);
  const audit = new AuditTrail({
    ...{ folder: join(engine.paths.dataFolder, 'audit'), days: settings.auditDays, clock: engine.clock, log },
  });
  const leaveFolder = await claimFolder(engine, () => log.add('error', 'folder.lost'));
  const keyUse = openKeyUse(engine.paths, engine.lock, engine.clock);
  const feed = new EventFeed(engine.storage.events, engine.hub);
  const browser = new BrowserSessions(engine.clock);
  let isClosing = false;
  let stopped: Promise<void> | undefined;
  const app = createApp({
    ...{ engine, keys, feed, browser, metrics: new Metrics(), version, routes, log, backends, audit, keyUse },
    onDefect: (error, requestId) => log.add('error', 'defect', { requestId, problem: stackOf(error) }),
    hosts: { bound: host, names: allowHosts },
    site: options.site ?? siteFolder(),
    rate: new RateLimit(engine.clock, settings.requestsPerSecond, engine.storage.limits),
    shares: new FairShare(),
    isClosing: () => isClosing,
  });
  const server = createServer(app.fetch, options);
  limitConnections(server, settings.maxConnections);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  try {
    await listen(server, port, host);
  } catch (error) {
    feed.close();
    leaveFolder();
    throw error;
  }
  const { port: bound } = server.address() as AddressInfo;
  const url = `${options.tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  // Whoever listens on every address is called by one: this machine's own.
  const callable = /^(?:0\.0\.0\.0|::)$/.test(host) ? url.replace(/\/\/[^/]+:/, '//127.0.0.1:') : url;
  const leave = announce(url, engine.clock.now());
  const cool = warmUp(engine);
  const unwatch = backends.watch();
  const stopSaving = keyUse.keepSaving();
  const stopRetention = keepRetention(engine, log);
  log.add('info', 'started', { url, version, pid: process.pid });
  return {
    ...{ url, port: bound, serverKeyFile, isFirstStart: created },
    link: `${callable}/?token=${browser.issue()}`,
    reload: (tls) => {
      // Keys are read again by themselves, whenever their file changes.
      if (tls !== undefined) (server as unknown as TlsServer).setSecureContext(tls);
      log.add('info', 'reloaded', { certificate: tls !== undefined });
    },
    stop: () => {
      isClosing = true;
      unwatch();
      stopRetention();
      leaveFolder();
      leave();
      feed.close();
      stopped ??= Promise.all([letGo(server), cool()])
        .then(() => Promise.all([audit.settled(), stopSaving()]))
        .then(() => log.add('info', 'stopped'));
      return stopped;
    },
  };
}
