/** MCP over stdin and stdout, for one client, until it leaves. */

import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Engine } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';
import type { Identity } from './identity.ts';
import { createMcpServer, type McpServerSettings } from './server.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface StdioSettings extends McpServerSettings {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly signal?: AbortSignal;
  readonly onError?: (error: Error) => void;
  /** Called for each connection. */
  readonly onServer?: (server: McpServer) => void;
}

/** stdout belongs to the protocol: one line from a dependency that likes to talk would end the connection. */
export function keepStdoutClean(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** Resolves when the client has closed its end, or the signal says so, and what was asked is answered. */
export async function runStdio(
  engine: Engine,
  identity: Identity,
  settings: StdioSettings = {},
): Promise<void> {
  const { input = process.stdin, output = process.stdout, signal, onError, onServer, ...rest } = settings;
  const wire = new StdioTransport(input, output);
  await new Promise<void>((resolve) => {
    const connect = () => {
      const server = createMcpServer(engine, identity, rest);
      onServer?.(server);
      return server;
    };
    serveStdio(connect, { transport: wire, ...defined({ onerror: onError }) });
    const { onclose } = wire;
    wire.onclose = () => {
      onclose?.();
      resolve();
    };
    if (signal?.aborted) wire.finish();
    else signal?.addEventListener('abort', () => wire.finish(), { once: true });
  });
}
