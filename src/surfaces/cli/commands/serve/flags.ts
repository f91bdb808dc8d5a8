/** What `keepsake serve` takes, checked while the command line is read. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { KeepsakeError } from '../../../../kernel/errors.ts';

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

/** One without the other is a mistake that would leave the server without encryption. */
export function readTls(
  cert: string | undefined,
  key: string | undefined,
): { readonly cert: string; readonly key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new KeepsakeError('INVALID_INPUT', '--tls-cert and --tls-key go together; only one was given.', {
      hint: 'Give both: --tls-cert cert.pem --tls-key key.pem',
    });
  }
  try {
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException;
    throw new KeepsakeError('NOT_FOUND', `${path} cannot be read (${code}).`, {
      hint: 'Correct the name, or make the file readable.',
      cause,
    });
  }
}
