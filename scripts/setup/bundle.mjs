// Puts a program that starts often into few files: a cold start spends its time on finding files, not on running them.
import { rolldown } from 'rolldown';

/** Small packages that are nearly always needed. All others stay outside: native, optional, or large. */
export const WITHIN = ['zod', 'commander', 'jsonc-parser', 'yaml', 'tokenx', 'croner'];

/** @param {{ root: string, programs: Record<string, string>, to: string }} options programs: entry files by name */
export async function bundle({ root, programs, to }) {
  const build = await rolldown({
    input: programs,
    platform: 'node',
    cwd: root,
    // The other form of jsonc-parser looks for its own files at run time.
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !WITHIN.includes(id),
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await build.write({
    dir: to,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true },
  });
  await build.close();
}
