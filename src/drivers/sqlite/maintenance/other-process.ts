/** Copies and hashes database files in a process of its own: with `fs` in this one, SQLite's locks would be dropped. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { KeepsakeError } from '../../../kernel/errors.ts';

const run = promisify(execFile);

const HASH = `
const { createHash } = require('node:crypto');
const fs = require('node:fs');
function hashOf(file) {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  const handle = fs.openSync(file, 'r');
  for (let read; (read = fs.readSync(handle, chunk)) > 0; ) hash.update(chunk.subarray(0, read));
  fs.closeSync(handle);
  return hash.digest('hex');
}`;

const COPY = `${HASH}
const [from, to] = process.argv.slice(1);
const before = hashOf(from);
fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
fs.chmodSync(to, 0o600);
const handle = fs.openSync(to, 'r+');
fs.fsyncSync(handle);
fs.closeSync(handle);
process.stdout.write(JSON.stringify({ before, after: hashOf(from), copy: hashOf(to) }));`;

async function evaluate(program: string, files: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, ['--eval', program, '--', ...files]);
    return stdout;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const reason = /Error: .*/.exec(stderr)?.[0] ?? String(error);
    const full = /ENOSPC|EDQUOT/.test(reason);
    throw new KeepsakeError(
      full ? 'STORAGE_FULL' : 'STORAGE_FAILED',
      `${files[0]} could not be copied (${reason}).`,
      {
        cause: error,
        hint: full ? 'Free some space and try again.' : 'Check the disk, and who may read the file.',
      },
    );
  }
}

export function hashInOtherProcess(file: string): Promise<string> {
  return evaluate(`${HASH}\nprocess.stdout.write(hashOf(process.argv[1]));`, [file]);
}

/** Resolves to the hash of the copy, or to undefined when the original changed meanwhile. Never overwrites. */
export async function copyInOtherProcess(from: string, to: string): Promise<string | undefined> {
  const { before, after, copy } = JSON.parse(await evaluate(COPY, [from, to])) as Record<string, string>;
  return before === copy && after === copy ? copy : undefined;
}
