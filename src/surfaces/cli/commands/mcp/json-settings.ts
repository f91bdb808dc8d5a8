/** Settings in JSON, with comments and trailing commas where people wrote some. */
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { withValue } from '../../../../administration/edit-jsonc.ts';
import { cannotChange, type Entry, isHollow, isObject, type SettingsFormat } from './settings-format.ts';

const MARK = '\uFEFF';

function read(text: string, file: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, { allowTrailingComma: true });
  const [problem] = errors;
  if (problem !== undefined) {
    const line = text.slice(0, problem.offset).split('\n').length;
    throw cannotChange(file, `line ${line} is not valid JSON (${printParseErrorCode(problem.error)})`);
  }
  if (!isObject(settings)) throw cannotChange(file, 'it does not hold an object');
  return settings;
}

/** Without the mark that some editors put in front. */
function parts(text: string): { readonly mark: string; readonly body: string } {
  const mark = text.startsWith(MARK) ? MARK : '';
  const body = text.slice(mark.length);
  return { mark, body: body.trim() === '' ? '{}\n' : body };
}

function serversIn(text: string, file: string, key: string): Record<string, unknown> {
  const servers = read(parts(text).body, file)[key];
  if (servers !== undefined && !isObject(servers)) throw cannotChange(file, `"${key}" is not an object`);
  return servers ?? {};
}

export const jsonSettings: SettingsFormat = {
  withEntry: (text, file, path, entry) => {
    const before = text ?? '';
    const [key, name] = path;
    if (JSON.stringify(serversIn(before, file, key)[name]) === JSON.stringify(entry))
      return { before, after: before };
    const { mark, body } = parts(before);
    return { before, after: mark + withValue(body, path, entry) };
  },
  withoutEntry: (before, file, [key, name]) => {
    if (!Object.hasOwn(serversIn(before, file, key), name)) return { before, after: before };
    const { mark, body } = parts(before);
    return { before, after: mark + applyEdits(body, modify(body, [key, name], undefined, {})) };
  },
  entryIn: (text, file, [key, name]) => {
    const entry = serversIn(text, file, key)[name];
    return isObject(entry) ? entry : undefined;
  },
  isEmpty: (text) => !/\/[/*]/.test(text) && isHollow(parse(parts(text).body)),
  snippet: ([key, name], entry: Entry) => JSON.stringify({ [key]: { [name]: entry } }, null, 2),
};
