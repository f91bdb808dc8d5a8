/** A real HTTP server for files: with ranges, or without, and with connections that break where they are told to. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FileServer {
  readonly url: string;
  /** Path → content; what is not here is 404. */
  readonly files: Map<string, Buffer>;
  /** The ranges that were asked for, in order; undefined for a whole file. */
  readonly ranges: (string | undefined)[];
  /** The next answers break after so many bytes of their body; undefined for one that does not. */
  readonly breakAfter: (number | undefined)[];
  supportsRanges: boolean;
}

export async function startFileServer(): Promise<FileServer> {
  const state: FileServer = { url: '', files: new Map(), ranges: [], breakAfter: [], supportsRanges: true };
  const server = createServer(({ url = '', headers }, response) => {
    const content = state.files.get(decodeURIComponent(url));
    state.ranges.push(headers.range);
    if (content === undefined) return response.writeHead(404).end('not here');
    const start = state.supportsRanges ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
    if (start >= content.length) return response.writeHead(416).end();
    const body = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': body.length,
      ...(start > 0 ? { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` } : {}),
    });
    const limit = state.breakAfter.shift();
    if (limit === undefined) return response.end(body);
    // What was sent shall arrive before the connection breaks.
    return response.write(body.subarray(0, limit), () => setTimeout(() => response.destroy(), 50));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
