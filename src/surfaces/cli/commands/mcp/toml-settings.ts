/** Settings in TOML: the table of one server is replaced, added at the end or removed; every other line stays. */
import { cannotChange, type Entry, type EntryPath, type SettingsFormat } from './settings-format.ts';

interface Header {
  /** `mcp_servers.keepsake` as its parts; of a list of tables too. */
  readonly path: readonly string[];
  readonly line: number;
}

const PART = String.raw`(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')`;
const HEADER = new RegExp(String.raw`^\s*\[\[?\s*(${PART}(?:\s*\.\s*${PART})*)\s*\]\]?\s*(?:#.*)?$`);
const KEY = new RegExp(String.raw`^\s*(${PART}(?:\s*\.\s*${PART})*)\s*=`);

const partsOf = (dotted: string): string[] =>
  (dotted.match(new RegExp(PART, 'g')) ?? []).map((part) =>
    part.startsWith('"') ? (JSON.parse(part) as string) : part.replace(/^'|'$/g, ''),
  );

/** Which lines begin inside a text of several lines or a list, where nothing is a header. */
function* openLines(lines: readonly string[], file: string): Generator<readonly [string, number]> {
  let quote: '"""' | "'''" | undefined;
  let depth = 0;
  for (const [number, line] of lines.entries()) {
    const isInside = quote !== undefined || depth > 0;
    if (!isInside) yield [line, number];
    if (!isInside && HEADER.test(line)) continue;
    let rest = line;
    while (rest !== '') {
      if (quote !== undefined) {
        const end = rest.indexOf(quote);
        if (end === -1) break;
        rest = rest.slice(end + 3);
        quote = undefined;
        continue;
      }
      const token = /^(?:"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[[{]|[\]}]|.)/u.exec(rest)![0];
      if (token === '"""' || token === "'''") quote = token;
      else if (token === '[' || token === '{') depth++;
      else if (token === ']' || token === '}') depth--;
      rest = rest.slice(token.length);
    }
  }
  if (quote !== undefined || depth !== 0) throw cannotChange(file, 'a text or a list has no end');
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** The lines of the table of the server, with those of the tables below it; undefined where there is none. */
function placeOf(lines: readonly string[], file: string, [key, name]: EntryPath): Place | undefined {
  const headers: Header[] = [];
  for (const [line, number] of openLines(lines, file)) {
    const header = HEADER.exec(line)?.[1];
    if (header !== undefined) {
      headers.push({ path: partsOf(header), line: number });
      continue;
    }
    const assigned = KEY.exec(line)?.[1];
    if (assigned === undefined) continue;
    const path = [...(headers.at(-1)?.path ?? []), ...partsOf(assigned)];
    const above = headers.at(-1)?.path.length ?? 0;
    // Written as `mcp_servers = { … }` or `mcp_servers.name = { … }`: a table of that name would clash with it.
    if (path[0] === key && above < 2 && (path.length === 1 || path[1] === name))
      throw cannotChange(file, `line ${number + 1} writes "${key}" in another form than [${key}.${name}]`);
  }
  const own = headers.filter(({ path }) => path[0] === key && path[1] === name);
  if (own.length === 0) return undefined;
  const from = own[0]!.line;
  const after = headers.filter(({ line }) => line > own.at(-1)!.line);
  if (headers.some(({ line, path }) => line > from && line < own.at(-1)!.line && path[1] !== name))
    throw cannotChange(file, `the tables of "${name}" do not stand together`);
  let to = after[0]?.line ?? lines.length;
  // Blank lines and remarks before the next table belong to that one.
  while (to > from + 1 && /^\s*(?:#.*)?$/.test(lines[to - 1]!)) to--;
  return { from, to };
}

const bare = (part: string): string => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part));

/** A string of JSON is one of TOML; so is a list of them. */
function tableLines([key, name]: EntryPath, entry: Entry): string[] {
  const value = (given: unknown) =>
    Array.isArray(given)
      ? `[${given.map((each) => JSON.stringify(each)).join(', ')}]`
      : JSON.stringify(given);
  return [
    `[${key}.${bare(name)}]`,
    ...Object.entries(entry).map(([field, given]) => `${bare(field)} = ${value(given)}`),
  ];
}

function linesOf(text: string): { readonly lines: readonly string[]; readonly eol: string } {
  return { lines: text.split(/\r?\n/), eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function fieldsIn(lines: readonly string[]): Entry {
  const fields: Record<string, unknown> = {};
  const text = lines.slice(1).join('\n');
  for (const [, field, value] of text.matchAll(/^\s*(command|args)\s*=\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\])/gm)) {
    try {
      fields[field!] = JSON.parse(value!.replace(/,\s*\]$/, ']')) as unknown;
    } catch {
      // Written in a way that only TOML knows; then it is shown without.
    }
  }
  return fields;
}

export const tomlSettings: SettingsFormat = {
  withEntry: (text, file, path, entry) => {
    const before = text ?? '';
    const { lines, eol } = linesOf(before);
    const place = placeOf(lines, file, path);
    const table = tableLines(path, entry);
    if (place === undefined) {
      const kept = before.trimEnd();
      return { before, after: `${kept === '' ? '' : `${kept}${eol}${eol}`}${table.join(eol)}${eol}` };
    }
    const isSame = lines.slice(place.from, place.to).join('\n') === table.join('\n');
    const after = [...lines.slice(0, place.from), ...table, ...lines.slice(place.to)].join(eol);
    return { before, after: isSame ? before : after };
  },
  withoutEntry: (before, file, path) => {
    const { lines, eol } = linesOf(before);
    const place = placeOf(lines, file, path);
    if (place === undefined) return { before, after: before };
    const head = lines.slice(0, place.from);
    // The blank line that parts it from what stands above.
    if (head.at(-1)?.trim() === '') head.pop();
    return { before, after: [...head, ...lines.slice(place.to)].join(eol) };
  },
  entryIn: (text, file, path) => {
    const { lines } = linesOf(text);
    const place = placeOf(lines, file, path);
    return place && fieldsIn(lines.slice(place.from, place.to));
  },
  isEmpty: (text) => text.trim() === '',
  snippet: (path, entry) => tableLines(path, entry).join('\n'),
};
