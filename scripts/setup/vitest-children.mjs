// Global set-up of the tests that start hundreds of processes: their programs as bundles, which start in a third of the time.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle, PROGRAM } from './bundle.mjs';
import { root } from './run.mjs';

const PROGRAMS = [
  'test/faults/support/child.ts',
  'test/faults/support/conversation-child.ts',
  'test/faults/support/embedding-process.ts',
  'test/faults/support/erase-child.ts',
  'test/faults/support/redis-only-server.ts',
  'test/faults/documents-child.ts',
  'test/working/append-child.ts',
  'test/e2e/support/agent-child.ts',
  'test/e2e/support/embedding-child.ts',
];

/** Where the bundles are; two folders below the root, as PACKAGE_ROOT expects. */
export async function setup() {
  // Another group of the same run has made them.
  if (process.env.KEEPSAKE_TEST_PROGRAMS !== undefined) return () => {};
  const folder = mkdtempSync(join(root, '.tmp-children-'));
  // Some of them run as nobody.
  chmodSync(folder, 0o755);
  const to = join(folder, 'programs');
  const programs = Object.fromEntries(PROGRAMS.map((path) => [basename(path, '.ts'), join(root, path)]));
  await bundle({ root, programs, to, as: PROGRAM });
  process.env.KEEPSAKE_TEST_PROGRAMS = to;
  return () => rmSync(folder, { recursive: true, force: true });
}
