/** The public members of a class with their comments, read from its source: comments are where members are explained. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Member {
  readonly signature: string;
  readonly text: string;
}

const MEMBER = /^ {2}(?:readonly |async |get |set |static )*\*?[a-z]\w*[?!]?[(:<]/;
const HIDDEN = /^ {2}(?:constructor|private |protected |#)/;

function bodyOf(file: string, name: string): string[] {
  const path = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
  const lines = readFileSync(path, 'utf8').split('\n');
  const start = lines.findIndex((line) => new RegExp(`^export class ${name}\\b`).test(line));
  if (start === -1) throw new Error(`There is no class ${name} in src/${file}.`);
  const length = lines.slice(start).indexOf('}');
  return lines.slice(start + 1, start + length);
}

/** From its first line to the end of the declaration: up to the body, or to the semicolon. */
function signatureAt(body: readonly string[], start: number): string {
  const taken: string[] = [];
  // A property whose type is written out goes on until its semicolon.
  const isProperty = /^ {2}(?:readonly )?\w+\??: \{$/.test(body[start]!);
  let depth = 0;
  for (const line of body.slice(start)) {
    taken.push(line);
    for (const character of line) {
      if ('({'.includes(character)) depth++;
      if (')}'.includes(character)) depth--;
    }
    if (/;$/.test(line) && depth === 0) break;
    if (!isProperty && / \{$/.test(line) && depth === 1) break;
    if (/ \{.*\}$/.test(line) && depth === 0) break;
  }
  const text = taken
    .map((line) => line.slice(2))
    .join('\n')
    .replace(isProperty ? /$^/ : / \{(?:.*\})?$/, '')
    .replace(/;$/, '')
    .replace(/^async \*?/, '');
  return text;
}

function commentBefore(body: readonly string[], end: number): string {
  let from = end - 1;
  if (!body[from]?.trim().endsWith('*/')) return '';
  while (from > 0 && !body[from]!.trim().startsWith('/**')) from--;
  return body
    .slice(from, end)
    .join(' ')
    .replaceAll(/\s*\/\*\*|\*\/|\s\*\s/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function classMembers(file: string, name: string): Member[] {
  const body = bodyOf(file, name);
  return body.flatMap((line, index) => {
    if (!MEMBER.test(line) || HIDDEN.test(line)) return [];
    const text = commentBefore(body, index);
    return [{ signature: signatureAt(body, index), text }];
  });
}
