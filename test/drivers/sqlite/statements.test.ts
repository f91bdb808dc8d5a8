/** Statements that are prepared once stay prepared. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../../src/drivers/sqlite');

test('no limit is bound in a way that makes SQLite plan again each time (see statement-cache.ts)', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!statement-cache)\.ts$/.test(name),
  );
  expect(files.length).toBeGreaterThan(50);
  const guilty = files.filter((name) => /LIMIT [?@:]/.test(readFileSync(join(SOURCES, name), 'utf8')));
  expect(guilty).toEqual([]);
});
