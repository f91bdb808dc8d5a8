/** Validates the input of a call, with one sentence per error. */

import { KeepsakeError } from './errors.ts';
import { explainIssue, MOST_TOLD } from './explain-issue.ts';
import type { z } from './zod.ts';

/** What was parsed, and by which schema: a verb parses its input, and the service behind it need not do so again. */
const parsed = new WeakMap<object, z.ZodType>();

export function validate<S extends z.ZodType>(schema: S, input: unknown, verb: string): z.output<S> {
  const isObject = typeof input === 'object' && input !== null;
  if (isObject && parsed.get(input) === schema) return input as z.output<S>;
  const result = schema.safeParse(input);
  if (result.success) {
    const { data } = result;
    if (typeof data === 'object' && data !== null) parsed.set(data, schema);
    return data;
  }
  const known = namesOf(schema);
  const problems = result.error.issues.slice(0, MOST_TOLD).map((issue) => {
    return { path: issue.path.join('.'), message: explainIssue(issue, input, known) };
  });
  const tooLarge = result.error.issues.some(
    (issue) => issue.code === 'too_big' && issue.path[0] === 'content',
  );
  throw refusal(problems, { verb, known, tooLarge });
}

/** Refuses one field for a reason that no schema can express. */
export function refuseField(schema: z.ZodType, verb: string, path: string, message: string): never {
  throw refusal([{ path, message }], { verb, known: namesOf(schema), tooLarge: false });
}

export const HALF_A_CHARACTER =
  'It contains half of a character (a lone surrogate). Cut texts between characters, or send text.toWellFormed().';

/** What a caller sends is stored exactly, or not at all; texts that we cut ourselves are repaired where they are cut. */
export function withWholeText<T extends { readonly content?: string | undefined }>(
  input: T,
  schema: z.ZodType,
  verb: string,
): T {
  if (input.content?.isWellFormed() === false) refuseField(schema, verb, 'content', HALF_A_CHARACTER);
  return input;
}

/** A refusal of the verb behind a tool, as one of that tool: with its name and its fields. All else stays as it is. */
export function refusedAs(
  error: KeepsakeError,
  as: { schema: z.ZodType; verb: string; renamed: Readonly<Record<string, string>> },
): KeepsakeError {
  const problems = error.details.problems as readonly Problem[] | undefined;
  const tooLarge = error.code === 'TOO_LARGE';
  if (problems === undefined || (error.code !== 'INVALID_INPUT' && !tooLarge)) return error;
  const told = problems.map(({ path, message }) => ({ path: as.renamed[path] ?? path, message }));
  return refusal(told, { verb: as.verb, known: namesOf(as.schema), tooLarge });
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

function refusal(
  problems: readonly Problem[],
  { verb, known, tooLarge }: { verb: string; known: readonly string[]; tooLarge: boolean },
): KeepsakeError {
  const text = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join(' ');
  return new KeepsakeError(tooLarge ? 'TOO_LARGE' : 'INVALID_INPUT', `Invalid input for ${verb}: ${text}`, {
    hint: tooLarge ? 'Shorten it, or split it into several.' : hintFor(verb, known),
    details: { problems },
  });
}

function namesOf(schema: z.ZodType): string[] {
  return 'shape' in schema ? Object.keys(schema.shape as object) : [];
}

function hintFor(verb: string, known: readonly string[]): string {
  return known.length === 0 ? `Correct the input of ${verb}.` : `${verb} takes ${known.join(', ')}.`;
}
