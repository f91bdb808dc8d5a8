/** The operating system's error numbers as KeepsakeErrors that name the path and say what to do. */
import { type ErrorCode, KeepsakeError } from '../kernel/errors.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS']);

const HINTS: Partial<Record<ErrorCode, string>> = {
  STORAGE_FULL: 'Free some space (or raise the quota) and try again.',
  PERMISSION: 'Check the owner and the mode of the file and of its folder.',
  STORAGE_FAILED: 'Check the disk; "keepsake doctor" looks at the workspace.',
};

export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || KeepsakeError.is(thrown)) return undefined;
  const code = (thrown as NodeJS.ErrnoException).code;
  // Node's own argument errors have codes too (ERR_…); they are defects of ours, not of the disk.
  return typeof code === 'string' && !code.startsWith('ERR_') ? code : undefined;
}

export function isMissing(thrown: unknown): boolean {
  return errnoOf(thrown) === 'ENOENT';
}

/** Passes on what does not come from the operating system, so that a defect keeps its own name. */
export function storageError(thrown: unknown, doing: string, path: string, aftermath = ''): unknown {
  const errno = errnoOf(thrown);
  if (errno === undefined) return thrown;
  const code = FULL.has(errno) ? 'STORAGE_FULL' : DENIED.has(errno) ? 'PERMISSION' : 'STORAGE_FAILED';
  return new KeepsakeError(code, `${path} could not be ${doing} (${errno}).${aftermath && ` ${aftermath}`}`, {
    cause: thrown,
    hint: HINTS[code] as string,
    details: { path, errno },
  });
}
