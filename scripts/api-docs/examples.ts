/** Reads the examples of docs/reference/sdk.md from programs that a test runs. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const EXAMPLE = /^ *\/\/ @example (\S+)\n([\s\S]*?)^ *\/\/ @end$/gm;

function withoutIndent(code: string): string {
  return code
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n');
}

/** The code of each example, by `Class.member`. */
export function examples(): ReadonlyMap<string, string> {
  const folder = join(import.meta.dirname, 'examples');
  const found = new Map<string, string>();
  for (const file of globSync('*.ts', { cwd: folder }).sort()) {
    for (const [, name, code] of readFileSync(join(folder, file), 'utf8').matchAll(EXAMPLE)) {
      if (found.has(name!)) throw new Error(`There are two examples of ${name}.`);
      found.set(name!, withoutIndent(code!));
    }
  }
  return found;
}
