// Global set-up of the test groups that start the server from its sources: bundles the page, which takes a fraction of a second.
import { join } from 'node:path';
import { bundleInspector } from './bundle-inspector.mjs';
import { root } from './run.mjs';

export function setup() {
  return bundleInspector(join(root, 'dist/inspector'));
}
