/** SQLite's result codes as KeepsakeErrors that say what to do. */
import { type ErrorCode, KeepsakeError } from '../../kernel/errors.ts';
import { namedDamage } from '../common/stored-json.ts';
import { unusableFile } from './unusable-file.ts';

/** A structural type, so that this file does not load the native module. */
interface SqliteFailure {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

export function isSqliteError(thrown: unknown): thrown is SqliteFailure {
  return thrown instanceof Error && thrown.name === 'SqliteError' && 'code' in thrown;
}

export function isBusy(thrown: unknown): boolean {
  return isSqliteError(thrown) && /^SQLITE_(BUSY|LOCKED)/.test(thrown.code);
}

/** What to do about damage. */
const LOOK =
  'Run "keepsake doctor" to see what is wrong; "keepsake doctor --fix" keeps a copy and repairs what it can, "keepsake restore <backup>" brings a backup back.';

const TABLE: readonly (readonly [RegExp, ErrorCode, string, string])[] = [
  [
    /^SQLITE_(BUSY|LOCKED)/,
    'BUSY',
    'is in use by another process',
    'Try again, or raise storage.sqlite.busyTimeoutMs.',
  ],
  [
    /^SQLITE_FULL/,
    'STORAGE_FULL',
    'could not grow: the disk is full',
    'Free some space and try again; nothing was changed.',
  ],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'CORRUPT', 'is damaged or not a database', LOOK],
  [
    /^SQLITE_(READONLY|PERM|AUTH)/,
    'PERMISSION',
    'may not be written',
    'Check the owner and the mode of the file and of its folder.',
  ],
  [
    /^SQLITE_CANTOPEN/,
    'PERMISSION',
    'cannot be opened',
    'Check that the folder exists and may be read and written.',
  ],
  [
    /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)/,
    'CONFLICT',
    'holds an entry with that id already',
    'Use a new id.',
  ],
  [
    /^SQLITE_IOERR/,
    'STORAGE_FAILED',
    'could not be read or written',
    'Check the disk, then run "keepsake doctor"; nothing that was not acknowledged is kept.',
  ],
];

/** Passes on what is not SQLite's, so that a defect of ours keeps its own name. */
export function translate(thrown: unknown, file: string): unknown {
  if (!isSqliteError(thrown)) return namedDamage(thrown, `The database ${file}`, LOOK) ?? thrown;
  const { code, message } = thrown;
  const entry = TABLE.find(([pattern]) => pattern.test(code));
  if (entry === undefined) {
    return new KeepsakeError('INTERNAL', `SQLite refused a statement on ${file}: ${message}`, {
      hint: 'Run "keepsake doctor" to see whether the database is damaged.',
      cause: thrown,
    });
  }
  const [, ours, what, hint] = entry;
  const unusable = ours === 'PERMISSION' ? unusableFile(file) : undefined;
  if (unusable !== undefined) return notAllowed(unusable, code, thrown);
  return new KeepsakeError(ours, `The database ${file} ${what} (${code}: ${message}).`, {
    cause: thrown,
    hint,
  });
}

/** A wrong owner or mode, also of the log or the shared memory beside a database. */
export function notAllowed(file: string, code: string, cause: unknown): KeepsakeError {
  return new KeepsakeError('PERMISSION', `${file} cannot be read and written by this user (${code}).`, {
    cause,
    hint: 'Check the owner and the mode of the file and of its folder; "keepsake doctor" examines all of them.',
  });
}

/** What the system itself says about a file, such as EIO of a broken disk. */
export function failedFile(file: string, code: string, cause: unknown): KeepsakeError {
  return new KeepsakeError('STORAGE_FAILED', `${file} could not be read or written (${code}).`, {
    cause,
    hint: 'Check the disk, then run "keepsake doctor"; nothing that was not acknowledged is kept.',
  });
}
