/** Handles the error of Node when the working directory was deleted. */
import { KeepsakeError } from './errors.ts';

/** What Node throws once the folder that the process works in was deleted, as one of ours; undefined for all else. */
export function lostCurrentFolder(error: unknown): KeepsakeError | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'uv_cwd') return undefined;
  return new KeepsakeError('NOT_FOUND', 'The folder that this process works in does not exist any more.', {
    hint: 'Change to a folder that exists, and try again.',
    cause: error,
  });
}
