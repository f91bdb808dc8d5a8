/** What package.json says about this program. */
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../kernel/package-root.ts';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

let manifest: Manifest | undefined;

function readManifest(): Manifest {
  manifest ??= JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as Manifest;
  return manifest;
}

export function packageVersion(): string {
  return readManifest().version;
}

export function oldestNode(): string {
  return readManifest().engines.node.replace('>=', '');
}
