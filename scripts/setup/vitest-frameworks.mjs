// Installs the frameworks of test/frameworks before their tests, for whoever starts vitest by hand.
import { ensureFrameworks } from './install.mjs';

export function setup() {
  ensureFrameworks();
}
