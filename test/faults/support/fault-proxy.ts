/** A TCP proxy in front of a server that misbehaves on request, as networks and machines do. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `refuse`: nobody listens, and what was open is closed. `reset`: every connection is broken off. `stall`: connections are
 * accepted, and then nothing goes in either direction. `deaf`: what is said does not arrive. `mute`: what is answered does
 * not come back. `forget`: connections that were open are silent for ever and are never closed; new ones work.
 */
export type Fault = 'refuse' | 'reset' | 'stall' | 'deaf' | 'mute' | 'forget';
export const FAULTS: readonly Fault[] = ['refuse', 'reset', 'stall', 'deaf', 'mute', 'forget'];

interface Pair {
  readonly inner: Socket;
  readonly outer: Socket;
  isForgotten: boolean;
}

export interface FaultProxy {
  readonly port: number;
  /** Connections that are open now. */
  readonly open: number;
  begin(fault: Fault): Promise<void>;
  /** All is well again: what stood still goes on, and what lost something on the way is broken off. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

export async function faultProxy(target: number): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let fault: Fault | undefined;
  const server = createServer({ allowHalfOpen: true }, (outer) => {
    if (fault === 'reset') {
      outer.resetAndDestroy();
      return;
    }
    const inner = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const pair: Pair = { inner, outer, isForgotten: false };
    pairs.add(pair);
    forward(pair, outer, inner, 'deaf');
    forward(pair, inner, outer, 'mute');
    if (fault === 'stall') for (const socket of [inner, outer]) socket.pause();
  });

  function forward(pair: Pair, from: Socket, to: Socket, drop: Fault): void {
    const isSilent = (): boolean => fault === drop || pair.isForgotten;
    from.on('data', (chunk) => {
      if (!isSilent()) to.write(chunk);
    });
    from.on('end', () => {
      if (!isSilent()) to.end();
    });
    const over = (): void => {
      pairs.delete(pair);
      if (!pair.isForgotten) to.destroy();
    };
    from.on('error', over);
    from.on('close', over);
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  function breakOff(): void {
    for (const { inner, outer } of [...pairs]) {
      inner.destroy();
      outer.resetAndDestroy();
    }
    pairs.clear();
  }

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get open() {
      return pairs.size;
    },
    begin: async (next) => {
      fault = next;
      if (next === 'refuse') {
        const closed = once(server, 'close');
        server.close();
        breakOff();
        await closed;
      }
      if (next === 'reset') breakOff();
      if (next === 'stall')
        for (const { inner, outer } of pairs) for (const socket of [inner, outer]) socket.pause();
      if (next === 'forget') for (const pair of pairs) pair.isForgotten = true;
    },
    heal: async () => {
      const before = fault;
      fault = undefined;
      if (before === 'refuse') await listen(port);
      if (before === 'deaf' || before === 'mute') breakOff();
      if (before === 'stall')
        for (const { inner, outer } of pairs) for (const socket of [inner, outer]) socket.resume();
    },
    close: async () => {
      breakOff();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
