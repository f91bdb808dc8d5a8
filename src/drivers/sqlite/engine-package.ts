/** SQLite itself: the package better-sqlite3, which has a native part that no bundler can take along. */
import type Package from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { isAbsent, loadPackage } from '../../runtime/load-package.ts';

function load(): typeof Package {
  try {
    return loadPackage<typeof Package>('better-sqlite3');
  } catch (cause) {
    if (!isAbsent(cause, 'better-sqlite3')) throw cause;
    throw new KeepsakeError('INVALID_CONFIG', 'The package better-sqlite3 is not beside this program.', {
      hint: 'A bundle needs it in a node_modules folder beside the bundle or above it: run "npm install better-sqlite3" there. See docs/guides/bundlers.md.',
      cause,
    });
  }
}

export const SqliteDatabase: typeof Package = load();
