/** Continues work in a detached process, so that the caller does not wait for a language model. */
import { spawn } from 'node:child_process';

/** The same command again, with the same input; resolves once the other process has it all. */
export function continueInBackground(input: string): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), '--background'], {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdin.on('error', reject);
    child.stdin.end(input, () => {
      child.unref();
      resolve();
    });
  });
}
