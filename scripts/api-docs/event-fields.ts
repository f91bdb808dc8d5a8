/** The fields of every event, read from the one interface that declares them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface EventShape {
  readonly type: string;
  readonly fields: readonly string[];
}

const ENTRY = /^ {2}'([a-z]+(?:\.[a-zA-Z]+)+)': \{([^}]*)\};/gm;

export function eventFields(): EventShape[] {
  const path = fileURLToPath(new URL('../../src/kernel/events.ts', import.meta.url));
  const source = readFileSync(path, 'utf8');
  const [, body = ''] = /interface EventPayloads \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  const plain = body.replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  return [...plain.matchAll(ENTRY)].map(([, type, fields]) => ({
    type: type!,
    fields: [...fields!.matchAll(/(\w+)(\??):/g)].map(([, name, optional]) => `${name}${optional}`),
  }));
}
