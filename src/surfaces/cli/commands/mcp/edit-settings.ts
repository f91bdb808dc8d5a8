/** Changes one entry in a settings file of another program: everything else in it, comments too, stays as it is. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { withValue } from '../../../../administration/edit-jsonc.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';

export interface Edit {
  readonly before: string;
  readonly after: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(file: string, problem: string): KeepsakeError {
  return new KeepsakeError('INVALID_CONFIG', `${file} cannot be changed safely: ${problem}.`, {
    hint: 'Correct the file, or add the lines that --print shows by hand.',
  });
}

/** `text` is undefined for a file that is not there yet. */
export function withEntry(
  text: string | undefined,
  file: string,
  path: readonly [key: string, name: string],
  entry: Readonly<Record<string, unknown>>,
): Edit {
  const before = text ?? '';
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = before.slice(mark.length);
  const base = body.trim() === '' ? '{}\n' : body;
  const errors: ParseError[] = [];
  const settings: unknown = parse(base, errors, { allowTrailingComma: true });
  const [problem] = errors;
  if (problem !== undefined) {
    const line = base.slice(0, problem.offset).split('\n').length;
    throw refuse(file, `line ${line} is no JSON (${printParseErrorCode(problem.error)})`);
  }
  if (!isObject(settings)) throw refuse(file, 'it holds no object');
  const [key, name] = path;
  const servers = settings[key];
  if (servers !== undefined && !isObject(servers)) throw refuse(file, `"${key}" is no object`);
  if (isObject(servers) && JSON.stringify(servers[name]) === JSON.stringify(entry))
    return { before, after: before };
  return { before, after: mark + withValue(base, path, entry) };
}

const AROUND = 2;

/** The lines that change, with a few around them. One place changes, so one block is enough. */
export function diffOf({ before, after }: Edit): string[] {
  const old = before === '' ? [] : before.split(/\r?\n/);
  const fresh = after.split(/\r?\n/);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const same = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...same(fresh.slice(Math.max(0, start - AROUND), start)),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
    ...same(fresh.slice(fresh.length - end, fresh.length - end + AROUND)),
  ].map((line) => line.trimEnd());
}
