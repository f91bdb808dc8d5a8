/** A real folder for one test, removed afterwards; its name has no symbolic links in it. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'keepsake-config-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Permissions do not bind root, so the block runs as nobody when the tests run as root. */
export function asOrdinaryUser<T>(block: () => T): T {
  if (process.geteuid?.() !== 0) return block();
  process.seteuid?.(65534);
  try {
    return block();
  } finally {
    process.seteuid?.(0);
  }
}
