/** A folder of its own for each test, and documents in it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DocumentFile, type DocumentOptions } from '../../src/documents/index.ts';
import { sqliteFileLock } from '../../src/drivers/sqlite/file-lock.ts';
import type { ErrorCode, KeepsakeError } from '../../src/kernel/errors.ts';
import type { FileLock } from '../../src/ports/file-lock.ts';

export function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-documents-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

export function makeLock(timeoutMs?: number): FileLock {
  const lock = sqliteFileLock(timeoutMs === undefined ? {} : { timeoutMs });
  onTestFinished(() => lock.close());
  return lock;
}

export function makeDocument(options: Partial<DocumentOptions> = {}): {
  root: string;
  path: string;
  document: DocumentFile;
} {
  const root = options.root ?? makeRoot();
  const path = options.path ?? join(root, 'MEMORY.md');
  const document = new DocumentFile({ lock: options.lock ?? makeLock(), ...options, root, path });
  return { root, path, document };
}

/** The error that a promise ends with; fails if it ends well. */
export async function errorOf(promise: Promise<unknown>): Promise<KeepsakeError> {
  try {
    await promise;
  } catch (error) {
    return error as KeepsakeError;
  }
  throw new Error('This should have failed.');
}

export async function codeOf(promise: Promise<unknown>): Promise<ErrorCode> {
  return (await errorOf(promise)).code;
}
