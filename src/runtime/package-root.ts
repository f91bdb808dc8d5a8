/** Finds files of the package (model, schema, worker), also in a bundle. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { KeepsakeError } from '../kernel/errors.ts';
import { lookFrom, ownFile, requireOf } from './own-file.ts';

const NAME = 'keepsake';
/** A file that only the root of the package has. */
const MARK = 'models/static/manifest.json';

let known: URL | undefined;

/** Looked for on first use, not when the module is loaded: a bundle that needs none of the files must not fail for them. */
export function packageRoot(): URL {
  known ??= findRoot();
  return known;
}

function findRoot(): URL {
  const places = candidates();
  const found = places.find((folder) => existsSync(join(folder, MARK)));
  if (found !== undefined) return pathToFileURL(`${found}/`);
  throw new KeepsakeError(
    'INVALID_CONFIG',
    `The files of the package ${NAME} are missing. Looked in: ${places.join(', ')}.`,
    {
      hint:
        `Keep ${NAME} out of the bundle (esbuild: external: ["${NAME}"], Next.js: serverExternalPackages: ["${NAME}"]), or copy node_modules/${NAME}/models ` +
        `to ${NAME}/models beside the bundle; or set models.embedding to "none" to search by words only. See docs/guides/bundlers.md.`,
    },
  );
}

/** The package around this file; else the one that the program or its folder would import; else a copy beside the program. */
function candidates(): string[] {
  const own = ownFile();
  // Two folders above this file in src/runtime, and above the parts in dist/sdk and dist/bundle.
  const around = own === undefined ? [] : [dirname(dirname(dirname(own)))];
  const imported = lookFrom().map(installedFor);
  const copied = [...lookFrom(), process.execPath].map((file) => join(dirname(file), NAME));
  return [...new Set([...around, ...imported, ...copied].filter((folder) => folder !== undefined))];
}

function installedFor(file: string): string | undefined {
  try {
    return dirname(requireOf(file).resolve(`${NAME}/package.json`));
  } catch {
    return undefined;
  }
}

/** A file of the package as a path. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(path, packageRoot()));
}
