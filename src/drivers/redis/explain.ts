/** Converts Redis errors into KeepsakeErrors with a hint. */
import { KeepsakeError } from '../../kernel/errors.ts';

const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM)/;

export function explained(error: unknown, place: string): KeepsakeError {
  const message = error instanceof Error ? error.message : String(error);
  if (REFUSED.test(message)) {
    return new KeepsakeError('PERMISSION', `Redis at ${place} refuses this user: ${message}`, {
      cause: error,
      hint: 'Set KEEPSAKE_STORAGE_STATE_URL to a URL with a user and a password that may write.',
    });
  }
  if (/^OOM/.test(message)) {
    return new KeepsakeError('STORAGE_FULL', `Redis at ${place} has no memory left.`, {
      cause: error,
      hint: 'Raise its maxmemory, or end runs that nobody needs.',
    });
  }
  // What Redis answers to every write after it could not write to its own disk.
  if (/^MISCONF/.test(message)) {
    return new KeepsakeError('STORAGE_FULL', `Redis at ${place} cannot write to its disk: ${message}`, {
      cause: error,
      hint: 'Free space on its disk, or see its log for another reason; "redis-cli bgsave" ends the refusal.',
    });
  }
  if (/^ERR /.test(message)) {
    return new KeepsakeError('STORAGE_FAILED', `Redis at ${place} refuses this: ${message}`, {
      cause: error,
      hint: 'Keepsake needs Redis 7 or newer; see its version with "redis-cli info server".',
    });
  }
  if (/certificate/i.test(message)) {
    return new KeepsakeError(
      'UNAVAILABLE',
      `The TLS certificate of Redis at ${place} is not trusted: ${message}`,
      {
        cause: error,
        hint: 'Name the authority that signed its certificate: rediss://host:6380?ca=/path/of/ca.pem.',
      },
    );
  }
  return new KeepsakeError('UNAVAILABLE', `Redis at ${place} does not answer: ${message}`, {
    cause: error,
    hint: 'Check that it runs and can be reached. A change that was under way may have been made: read before repeating it.',
  });
}
