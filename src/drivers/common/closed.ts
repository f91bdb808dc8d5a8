/** The error of every call to a storage that was closed. */
import { KeepsakeError } from '../../kernel/errors.ts';

export const closed = (): KeepsakeError =>
  new KeepsakeError('CLOSED', 'The storage was closed.', { hint: 'Create a new client.' });
