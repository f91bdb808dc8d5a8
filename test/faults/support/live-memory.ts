/** Loaded before the program of a soak: on SIGUSR2, collects garbage and writes how many bytes are left. */
import { renameSync, writeFileSync } from 'node:fs';

const { KEEPSAKE_LIVE_MEMORY: file = '' } = process.env;
process.on('SIGUSR2', () => {
  // What the first collection finalizes, the second one frees.
  globalThis.gc!();
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.new`, String(heapUsed + external));
  renameSync(`${file}.new`, file);
});
