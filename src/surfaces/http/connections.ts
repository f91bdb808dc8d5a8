/** Limits the number of connections; at the limit, idle ones are closed. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Both ends of a connection; over TLS the request has another socket than the connection. */
const keyOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`;

export function limitConnections(server: Server, limit: number): void {
  const open = new Set<Socket>();
  /** Those that have sent no request so far, the oldest first. */
  const silent = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (silent.get(key) === socket) silent.delete(key);
    });
    if (open.size > limit) {
      // A client that means well asks at once; with none to give way, the newcomer is refused.
      const [longest, oldest = socket] = silent.entries().next().value ?? [key];
      silent.delete(longest);
      open.delete(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    silent.set(key, socket);
  });
  server.on('request', ({ socket }: IncomingMessage) => silent.delete(keyOf(socket)));
}
