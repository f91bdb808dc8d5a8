/** The command that other programs start Keepsake with: by absolute paths, so that nothing is looked up or fetched. */
import { posix, win32 } from 'node:path';
import type { ServerCommand } from './clients.ts';

/** How the running program can be started again, from any folder. */
export interface Program {
  /** The folder of the package. */
  readonly root: string;
  readonly node: string;
  readonly platform: NodeJS.Platform;
}

export function scriptOf({ root, platform }: Program): string {
  const { join } = platform === 'win32' ? win32 : posix;
  return join(root, 'bin', 'keepsake.js');
}

export function serverCommand(args: readonly string[], program: Program): ServerCommand {
  return { command: program.node, args: [scriptOf(program), 'mcp', ...args] };
}

/** npm may clear what npx fetched at any time. */
export function isTemporary({ root }: Program): boolean {
  return root.split(/[\\/]/).includes('_npx');
}
