/** What changes one server in a settings file of another program, whatever the format of the file. */
import { KeepsakeError } from '../../../../kernel/errors.ts';

export type Entry = Readonly<Record<string, unknown>>;
/** The key below which servers are listed, and the name of the server. */
export type EntryPath = readonly [key: string, name: string];

export interface Edit {
  readonly before: string;
  readonly after: string;
}

/** `text` is undefined for a file that does not exist; what cannot be changed safely is refused. */
export interface SettingsFormat {
  withEntry(text: string | undefined, file: string, path: EntryPath, entry: Entry): Edit;
  withoutEntry(text: string, file: string, path: EntryPath): Edit;
  entryIn(text: string, file: string, path: EntryPath): Entry | undefined;
  /** Whether it holds nothing that anybody set or remarked. */
  isEmpty(text: string): boolean;
  /** The lines as somebody would write them by hand. */
  snippet(path: EntryPath, entry: Entry): string;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is an object of nothing but empty objects and lists. */
export function isHollow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isHollow);
}

export function cannotChange(file: string, problem: string): KeepsakeError {
  return new KeepsakeError('INVALID_CONFIG', `${file} cannot be changed safely: ${problem}.`, {
    hint: 'Correct the file, or add the lines that --print shows by hand.',
  });
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
