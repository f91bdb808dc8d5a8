/** The errors of the working state, the same in every engine. */
import { KeepsakeError } from '../../kernel/errors.ts';

export function noState(run: string): KeepsakeError {
  return new KeepsakeError('NOT_FOUND', `The run ${run} has no working state.`, {
    hint: 'It is gone when a run ends. Begin another run.',
    details: { run },
  });
}

export function stateExists(run: string): KeepsakeError {
  return new KeepsakeError('CONFLICT', `The run ${run} has a working state already.`, {
    hint: 'Change it, or begin another run.',
  });
}

export function otherVersion(run: string, expected: number, found: number): KeepsakeError {
  return new KeepsakeError('CONFLICT', `The state of ${run} is at version ${found}, not ${expected}.`, {
    hint: 'Read it again and repeat the change.',
    details: { run, expected, found },
  });
}

export function tooLarge(run: string, bytes: number, maxBytes: number): KeepsakeError {
  return new KeepsakeError(
    'TOO_LARGE',
    `The state of ${run} would have ${bytes} bytes; ${maxBytes} are allowed.`,
    {
      hint: 'Keep findings short; store long texts in memory or in files.',
      details: { run, bytes, maxBytes },
    },
  );
}
