/** Ids of users and threads: any text, stored unchanged and never used as a path. */
import { KeepsakeError } from './errors.ts';

export const MAX_ID_LENGTH = 256;

function problemWith(id: unknown): string | undefined {
  if (typeof id !== 'string') return 'it must be a string';
  if (id.length === 0) return 'it is empty';
  if (id.length > MAX_ID_LENGTH && [...id].length > MAX_ID_LENGTH)
    return `it is longer than ${MAX_ID_LENGTH} characters`;
  // No database stores these two as they are, and two ids must never become one.
  if (!id.isWellFormed()) return 'it contains half of a character';
  if (id.includes('\0')) return 'it contains the character NUL';
  return undefined;
}

function check(kind: 'user' | 'thread', id: unknown): string {
  const problem = problemWith(id);
  if (problem === undefined) return id as string;
  const shown = typeof id === 'string' ? JSON.stringify(id.slice(0, 80)) : typeof id;
  throw new KeepsakeError('INVALID_INPUT', `${shown} cannot be the id of a ${kind}: ${problem}.`, {
    hint: `Use any text of 1 to ${MAX_ID_LENGTH} characters, for example ${kind === 'user' ? '"auth0|5f7c" or "org/42/user/7"' : '"chat-7"'}.`,
  });
}

/** Returns the id as it was given, or throws INVALID_INPUT with the reason. */
export const checkUserId = (id: unknown): string => check('user', id);

export const checkThreadId = (id: unknown): string => check('thread', id);
