/** Loads optional packages in a way that bundlers do not follow. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lookFrom, requireOf } from './own-file.ts';

/**
 * The package as `require` finds it: beside Keepsake, else beside the program (where a bundle has taken the place of Keepsake), else
 * in the current folder, else among the global packages. `require` and not `import()`: bundlers resolve every `import()` when they build, and fail for what is
 * not installed. The name must be a literal, because the architecture test reads it.
 */
export function loadPackage<T>(name: string): T {
  return requireFor(name)(name) as T;
}

/** Throws when the package is not installed; loads nothing. */
export function findPackage(name: string): string {
  return requireFor(name).resolve(name);
}

/** Whether an error says that this very package is missing, and not one that it needs itself. */
export function isAbsent(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND') &&
    error.message.includes(`'${name}'`)
  );
}

function requireFor(name: string): NodeJS.Require {
  const tried = [...lookFrom(), ...globalPlace(name)].map((file) => requireOf(file));
  return tried.find((require) => canFind(require, name)) ?? tried[0]!;
}

/** Only the folder of global packages itself: above it there may be a project of somebody else. */
function globalPlace(name: string): string[] {
  const bin = dirname(process.execPath);
  const folder = process.platform === 'win32' ? bin : join(bin, '..', 'lib');
  return existsSync(join(folder, 'node_modules', name, 'package.json')) ? [join(folder, 'index.js')] : [];
}

function canFind(require: NodeJS.Require, name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch (error) {
    // Whatever else is wrong with it is told when it is loaded.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}
