/** Checks the Host header, against DNS rebinding. */
import { isIP } from 'node:net';

export interface HostPolicy {
  /** The address that is listened on. */
  readonly bound: string;
  /** Further names, for example of a reverse proxy. */
  readonly names: readonly string[];
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

export function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/i, '');
  return LOOPBACK_NAMES.includes(address) || (isIP(address) === 4 && address.startsWith('127.'));
}

/** The name in a Host header, without port and brackets; undefined when it is none. */
export function hostnameOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? '');
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

/**
 * Rebinding a name to this machine leaves the attacker's name in the Host header. A bare address is no such name, so it
 * is enough to know the names.
 */
export function isKnownHost(header: string | undefined, { bound, names }: HostPolicy): boolean {
  const host = hostnameOf(header);
  if (host === undefined) return false;
  if (isLoopback(host) || host === bound.toLowerCase()) return true;
  if (names.some((name) => name.toLowerCase() === host)) return true;
  return !isLoopback(bound) && isIP(host) !== 0;
}

/** Programs send no Origin; of pages, only those of this server may speak to it. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  try {
    const { protocol, host: from } = new URL(origin);
    const isWeb = protocol === 'http:' || protocol === 'https:';
    return isWeb && host !== undefined && from === new URL(`${protocol}//${host}`).host;
  } catch {
    return false;
  }
}
