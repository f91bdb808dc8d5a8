/** The fields of every event, read from the one interface that declares them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface EventShape {
  readonly type: string;
  readonly fields: readonly string[];
}

/** Fields in braces, or the name of an interface that has them. */
const ENTRY = /^ {2}'([a-z]+(?:\.[a-zA-Z]+)+)': (?:\{([^}]*)\}|(\w+));/gm;
const COMMENT = /\/\*\*[\s\S]*?\*\//g;

function bodyOf(source: string, name: string): string {
  const [, body] = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(source) ?? [];
  if (body === undefined) throw new Error(`src/kernel/events.ts declares no interface ${name}.`);
  return body.replaceAll(COMMENT, '');
}

export function eventFields(): EventShape[] {
  const path = fileURLToPath(new URL('../../src/kernel/events.ts', import.meta.url));
  const source = readFileSync(path, 'utf8');
  return [...bodyOf(source, 'EventPayloads').matchAll(ENTRY)].map(([, type, fields, name]) => ({
    type: type!,
    fields: [...(fields ?? bodyOf(source, name!)).matchAll(/(\w+)(\??):/g)].map(
      ([, name, optional]) => `${name}${optional}`,
    ),
  }));
}
