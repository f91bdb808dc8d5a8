/** How the user can type the commands that we suggest. */
import { basename, relative } from 'node:path';

/** `keepsake` when it is installed for all, `npx --no keepsake` in a project (`--no`: it never fetches one), else the way in which it was started, as in a checkout. */
export function invocation(
  script: string = process.argv[1] ?? 'keepsake',
  cwd: string = process.cwd(),
): string {
  // Also through node_modules/.bin, where npx and npm find it and a shell does not.
  if (/[\\/]node_modules[\\/]/.test(script)) return 'npx --no keepsake';
  if (basename(script) !== 'keepsake.js') return 'keepsake';
  return `node ${quoted(relative(cwd, script))}`;
}

/** A path as a shell needs it. */
export function quoted(path: string): string {
  return /^[\w./@+~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
