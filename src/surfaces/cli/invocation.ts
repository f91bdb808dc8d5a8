/** How the user can type the commands that we suggest. */
import { basename, relative } from 'node:path';

/** `keepsake` when it is installed, else the way in which it was started, for example in a checkout. */
export function invocation(
  script: string = process.argv[1] ?? 'keepsake',
  cwd: string = process.cwd(),
): string {
  if (basename(script) !== 'keepsake.js') return 'keepsake';
  if (/[\\/]node_modules[\\/]/.test(script)) return 'npx keepsake';
  return `node ${quoted(relative(cwd, script))}`;
}

/** A path as a shell needs it. */
export function quoted(path: string): string {
  return /^[\w./@+~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
