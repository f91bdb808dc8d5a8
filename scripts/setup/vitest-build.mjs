// Global set-up of the test groups that start the real program: they must never meet an old build.
import { ensureBuilt } from './build.mjs';

export function setup() {
  ensureBuilt();
}
