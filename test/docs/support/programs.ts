/** The snippets of a page as one program: each sees what those before it declared, and may use the same names again. */
import { join } from 'node:path';
import type { Snippet } from './snippets.ts';

const IMPORT = /^import (type )?\{([^}]*)\} from '([^']+)';$/gm;
/** `import assert from 'node:assert/strict'` */
const DEFAULT_IMPORT = /^import \w+ from '[^']+';$/gm;

function importsOf(texts: readonly string[]): string {
  const names = new Map<string, Set<string>>();
  for (const [, type = '', list, from] of texts.flatMap((text) => [...text.matchAll(IMPORT)])) {
    const known = names.get(from!) ?? new Set();
    for (const name of list!.split(',').map((each) => each.trim()))
      if (name !== '') known.add(`${type}${name}`);
    names.set(from!, known);
  }
  const defaults = new Set(texts.flatMap((text) => text.match(DEFAULT_IMPORT) ?? []));
  const named = [...names].map(([from, known]) => `import { ${[...known].join(', ')} } from '${from}';`);
  return [...defaults, ...named].join('\n');
}

export function programOf(
  snippets: readonly Snippet[],
  { root, assumed }: { readonly root: string; readonly assumed: string },
): string {
  // Pages in docs/guides name files of the repository as seen from there.
  const texts = snippets.map(({ text }) => text.replaceAll(/'(?:\.\.\/)+src\//g, `'${join(root, 'src')}/`));
  const bodies = texts.map((text) => text.replaceAll(IMPORT, '').replaceAll(DEFAULT_IMPORT, ''));
  const nested = bodies.reduceRight((inner, body) => `{\n${body}\n${inner}}\n`, '');
  return `${importsOf(texts)}\n${assumed}\n${nested}export {};\n`;
}
