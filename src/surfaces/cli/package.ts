/** What package.json says about this program. */
import { readFileSync } from 'node:fs';
import { packageRoot } from '../../runtime/package-root.ts';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

let manifest: Manifest | undefined;

function readManifest(): Manifest {
  manifest ??= JSON.parse(readFileSync(new URL('package.json', packageRoot()), 'utf8')) as Manifest;
  return manifest;
}

export function packageVersion(): string {
  return readManifest().version;
}

export function oldestNode(): string {
  return readManifest().engines.node.replace('>=', '');
}
