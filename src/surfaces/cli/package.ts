/** What package.json says about this program. */
import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

let manifest: Manifest | undefined;

function readManifest(): Manifest {
  // The same number of steps from src/surfaces/cli and from dist/surfaces/cli.
  manifest ??= JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as Manifest;
  return manifest;
}

export function packageVersion(): string {
  return readManifest().version;
}

export function oldestNode(): string {
  return readManifest().engines.node.replace('>=', '');
}
