/** Checks that the command which other programs start as Keepsake exists and is this version. */
import { existsSync } from 'node:fs';
import type { Finding } from '../ports/maintenance.ts';
import { readProgram } from './program-file.ts';

const check = 'program.launcher';
const hint = 'Run "keepsake mcp install <program>" again.';

/** Nothing where no program was ever set up. */
export function examineLauncher({ version }: { readonly version: string }): Finding[] {
  const program = readProgram();
  if (program === undefined) return [];
  const missing = [program.script, program.node].find((file) => !existsSync(file));
  if (missing !== undefined) {
    const message = `Other programs start Keepsake at ${program.script}, but ${missing} does not exist.`;
    return [{ check, severity: 'notice', message, hint }];
  }
  if (program.version !== version) {
    const message = `Other programs start Keepsake ${program.version} at ${program.script}; this is ${version}.`;
    return [{ check, severity: 'notice', message, hint }];
  }
  return [{ check, severity: 'ok', message: `Other programs start Keepsake at ${program.script}.` }];
}
