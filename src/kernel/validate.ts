/** Checks a call's input and says in one sentence per problem what is wrong with it. */
import type { z } from 'zod';
import { KeepsakeError } from './errors.ts';
import { explainIssue } from './explain-issue.ts';

export function validate<S extends z.ZodType>(schema: S, input: unknown, verb: string): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : [];
  const problems = result.error.issues.map((issue) => {
    return { path: issue.path.join('.'), message: explainIssue(issue, input, known) };
  });
  const tooLarge = result.error.issues.some(
    (issue) => issue.code === 'too_big' && issue.path[0] === 'content',
  );
  const text = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join(' ');
  throw new KeepsakeError(tooLarge ? 'TOO_LARGE' : 'INVALID_INPUT', `${verb} cannot take this. ${text}`, {
    hint: tooLarge ? 'Shorten it, or split it into several.' : hintFor(verb, known),
    details: { problems },
  });
}

function hintFor(verb: string, known: readonly string[]): string {
  return known.length === 0 ? `Correct the input of ${verb}.` : `${verb} takes ${known.join(', ')}.`;
}
