// Global set-up of every test group: temporary files are made in memory, however vitest was started.
import { useTestFolder } from './test-folder.mjs';

export function setup() {
  // At the very end, because the set-up of other groups has programs running in the folder until then.
  process.once('exit', useTestFolder(process.env));
}
