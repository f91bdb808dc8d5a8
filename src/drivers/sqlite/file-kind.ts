/** Detects whether the file at a path is a database. */
import { statSync } from 'node:fs';

/**
 * Names what is at a path when it can be no database: a pipe would block whoever opens it, for ever. Asks by path alone,
 * because closing a descriptor of a database would drop the locks of this process.
 */
export function strangeKind(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return undefined;
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
