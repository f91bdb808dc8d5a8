/** The path of this module, and the paths from which packages are resolved, also in a bundle. */
import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Alone and not in `new URL(…, import.meta.url)`, which bundlers take for a file to copy.
const url: unknown = import.meta.url;

/** Undefined where a bundler left no trace of it, as esbuild does in CommonJS. */
export function ownFile(): string | undefined {
  if (typeof url !== 'string' || !url.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** Whether the sources run as they are, without a build. */
export function runsFromSource(): boolean {
  return ownFile()?.endsWith('.ts') ?? false;
}

/**
 * `require` of a file. Not by an import of `createRequire`: webpack recognises that and takes what it returns for its own `require`,
 * which knows only what was bundled.
 */
export function requireOf(file: string): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(file);
}

/** The folder inside of an executable that "bun build --compile" made: nothing can be put beside a file of it. */
const INSIDE_EXECUTABLE = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

/** Where to look from: this file, the program, the current folder. Only the folder of each counts. */
export function lookFrom(): string[] {
  const program = realPath(process.argv[1] ?? '');
  const started = INSIDE_EXECUTABLE.test(program) ? realPath(process.execPath) : program;
  const files = [ownFile(), started, join(process.cwd(), 'program.js')];
  return files.filter((file) => file !== undefined && isAbsolute(file)) as string[];
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
