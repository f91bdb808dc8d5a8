/** Where a child program of these tests is: as a bundle in its own test group, as its source in others. */
import { join } from 'node:path';

const { KEEPSAKE_TEST_PROGRAMS: bundles } = process.env;

export function programOf(name: string): string {
  return bundles === undefined ? join(import.meta.dirname, `${name}.ts`) : join(bundles, `${name}.js`);
}
