/** docs/guides/guard.md: its table has the thresholds of the code; test/e2e/docs runs what it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { THRESHOLDS } from '../../src/guard/provenance.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/guard.md'), 'utf8');

it('the guide knows the thresholds', () => {
  for (const [origin, threshold] of Object.entries(THRESHOLDS)) {
    expect(page).toMatch(new RegExp(`^\\|[^|]*\`${origin}\`[^|]*\\| ${threshold} \\|`, 'm'));
  }
});
