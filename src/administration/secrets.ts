/** Reads secrets from a file or an environment variable that a flag names, because other users can see the arguments of a process. */
import { readFileSync } from 'node:fs';
import { readEnvironment } from '../config/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';

export function readEnvironmentOf(variable: string): string | undefined {
  return readEnvironment()[variable];
}

export function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new KeepsakeError(
      'NOT_FOUND',
      `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      {
        hint: 'Check the path and the permissions of the file.',
        cause,
      },
    );
  }
}
