/** Converts Postgres errors into KeepsakeErrors with a hint. */
import { type ErrorCode, KeepsakeError } from '../../kernel/errors.ts';
import { namedDamage } from '../common/stored-json.ts';

interface ServerError {
  readonly code: string;
  readonly message: string;
}

/** The server itself said it, under a code of five characters. */
function isServerError(thrown: unknown): thrown is ServerError & Error {
  const code = (thrown as { code?: unknown } | undefined)?.code;
  return thrown instanceof Error && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
}

export const hasCode = (thrown: unknown, code: string): boolean =>
  isServerError(thrown) && thrown.code === code;

/** It starts, it stops, or it or an administrator ended the connection: another one may do. */
const PASSING = /^(57P0[123]|25P0[34]|08...)$/;

/** The connection, and not the statement, was the trouble. */
export function isLost(thrown: unknown): boolean {
  if (KeepsakeError.is(thrown)) return thrown.code === 'UNAVAILABLE';
  if (isServerError(thrown)) return PASSING.test(thrown.code);
  return thrown instanceof Error && LOST.test(`${(thrown as NodeJS.ErrnoException).code} ${thrown.message}`);
}

const LOST =
  /ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|AggregateError|terminated|timeout|not queryable|Client was closed|no answer/i;

/** Any answer at all: a server that refuses is not deaf. */
export const isAnswer = (thrown: unknown): boolean => isServerError(thrown) && !PASSING.test(thrown.code);

const LOOK = 'Run "keepsake doctor" to see what is wrong, or restore a backup of the database.';

const TABLE: readonly (readonly [RegExp, ErrorCode, string, string])[] = [
  [
    /^(28|42501$)/,
    'PERMISSION',
    'refuses this user',
    'Set KEEPSAKE_STORAGE_URL to a URL with a user and a password that may read, write and create tables.',
  ],
  [
    /^3D000$/,
    'NOT_FOUND',
    'has no such database',
    'Create it with "createdb", or name another one in the URL.',
  ],
  [/^53300$/, 'BUSY', 'has too many connections', 'Try again, or raise its max_connections.'],
  [/^(53100|53200)$/, 'STORAGE_FULL', 'has no room left', 'Free some space or memory on its machine.'],
  [
    /^(55P03|40P01|40001)$/,
    'BUSY',
    'is busy with other processes',
    'Try again; "SELECT * FROM pg_stat_activity" shows who holds the locks.',
  ],
  [/^57014$/, 'TIMEOUT', 'took too long and was stopped', 'Try again, or ask for less at once.'],
  [/^23505$/, 'CONFLICT', 'holds an entry with that id already', 'Use a new id.'],
  [/^25006$/, 'READ_ONLY', 'takes no writes', 'Name its primary server in the URL, not a standby.'],
  [/^(XX001|XX002)$/, 'CORRUPT', 'is damaged', 'Restore a backup of the database.'],
  [/^58/, 'STORAGE_FAILED', 'could not read or write its files', 'Check its disk and its log.'],
];

/** Passes on what is ours already, so that a defect keeps its own name. */
export function translate(thrown: unknown, place: string): unknown {
  if (KeepsakeError.is(thrown)) return namedDamage(thrown, `The database at ${place}`, LOOK) ?? thrown;
  if (isLost(thrown)) return unavailable(place, thrown);
  if (!isServerError(thrown)) return withoutPassword(thrown) ? noPassword(place, thrown) : thrown;
  const entry = TABLE.find(([pattern]) => pattern.test(thrown.code));
  if (entry === undefined) {
    return new KeepsakeError(
      'INTERNAL',
      `Postgres at ${place} refused a statement (${thrown.code}): ${thrown.message}`,
      { cause: thrown },
    );
  }
  const [, code, what, hint] = entry;
  return new KeepsakeError(code, `Postgres at ${place} ${what} (${thrown.code}: ${thrown.message}).`, {
    cause: thrown,
    hint,
  });
}

/** The client's own complaint, before it has asked the server anything. */
const withoutPassword = (thrown: unknown): boolean =>
  thrown instanceof Error && /client password must be a/.test(thrown.message);

const noPassword = (place: string, cause: unknown): KeepsakeError =>
  new KeepsakeError('PERMISSION', `Postgres at ${place} asks for a password, and none was given.`, {
    cause,
    hint: 'Put it into KEEPSAKE_STORAGE_URL (postgresql://user:password@host/database), or into PGPASSWORD, where it may hold any character.',
  });

export function unavailable(place: string, cause: unknown): KeepsakeError {
  const said =
    cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause);
  return new KeepsakeError('UNAVAILABLE', `Postgres at ${place} does not answer: ${said}`, {
    cause,
    hint: 'Check that it runs and can be reached. A change that was under way may have been made: read before repeating it.',
  });
}
