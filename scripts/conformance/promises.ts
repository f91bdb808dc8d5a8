/** The promises of the five documents, read from promises.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PromiseRow {
  readonly id: string;
  readonly text: string;
}

export interface PromisedDocument {
  readonly title: string;
  readonly rows: readonly PromiseRow[];
}

export function readPromises(): PromisedDocument[] {
  const text = readFileSync(join(import.meta.dirname, 'promises.md'), 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      const rows = lines.flatMap((line) => {
        const found = /^- ([A-E]-\d\d) (.+)$/.exec(line);
        return found === null ? [] : [{ id: found[1]!, text: found[2]! }];
      });
      return { title, rows };
    });
}
