/** Errors of decoders: what is wrong and where, without text of the conversation. */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';

const MAX_PATH = 200;

/** `path` reads like code: `messages[3].content`. */
export function invalid(fullPath: string, problem: string, hint?: string): KeepsakeError {
  // The keys in it come from the file and may be of any length.
  const path = fullPath.length > MAX_PATH ? `${fullPath.slice(0, MAX_PATH)}…` : fullPath;
  return new KeepsakeError('INVALID_INPUT', `${path === '' ? 'The conversation' : path} ${problem}.`, {
    hint: hint ?? 'Correct the file, or export the conversation again.',
    details: { path },
  });
}

/** A problem of the text itself, before it means anything. */
export function malformed(
  what: string,
  text: string,
  offset: number | undefined,
  cause?: unknown,
): KeepsakeError {
  const where = offset === undefined ? undefined : positionOf(text, offset);
  const place = where === undefined ? '' : ` at line ${where.line}, column ${where.column}`;
  return new KeepsakeError('INVALID_INPUT', `${what}${place}.`, {
    hint: 'Correct the file there; leave the format out if it is in another one, and it will be recognised.',
    details: { ...where },
    ...defined({ cause }),
  });
}

function positionOf(text: string, offset: number): { offset: number; line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let feed = text.indexOf('\n'); feed !== -1 && feed < offset; feed = text.indexOf('\n', feed + 1)) {
    line++;
    start = feed + 1;
  }
  return { offset, line, column: offset - start + 1 };
}
