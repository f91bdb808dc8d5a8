/** What `keepsake serve` takes, checked while the command line is read. */
import { InvalidArgumentError } from 'commander';

const LAST_PORT = 65_535;

export function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= LAST_PORT) return port;
  throw new InvalidArgumentError(`Expected a port from 0 to ${LAST_PORT}.`);
}

export function allowedHost(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[a-z0-9._-]+$/i.test(text)) return [...before, text];
  throw new InvalidArgumentError('Expected a name such as memory.example.org, without port.');
}
