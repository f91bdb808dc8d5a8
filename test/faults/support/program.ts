/** Where a child program of a test is: as a bundle in the groups that start many, as its source in others. */
import { join } from 'node:path';

const { KEEPSAKE_TEST_PROGRAMS: bundles } = process.env;

export function programOf(name: string, folder: string = import.meta.dirname): string {
  return bundles === undefined ? join(folder, `${name}.ts`) : join(bundles, `${name}.js`);
}
