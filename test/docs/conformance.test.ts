/** docs/conformance.md names a test for every promise of the five documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVIATIONS } from '../../scripts/conformance/deviations.ts';
import { readPromises } from '../../scripts/conformance/promises.ts';
import { conformance } from '../../scripts/generate-conformance.ts';

describe('docs/conformance.md', () => {
  const { path, text, unproven, unknown } = conformance();

  it('is up to date; else run "npm run docs:conformance"', () => {
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text);
  });

  it('has all 216 promises, each named by a test, and no test names another', () => {
    const ids = readPromises().flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(216);
    expect(unproven).toEqual([]);
    expect(unknown).toEqual([]);
    expect(Object.keys(DEVIATIONS).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
