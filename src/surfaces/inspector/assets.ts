/** The files that the pages of the server load. The build makes them from `page/`; see scripts/setup/bundle-inspector.mjs. */
import { readFile } from 'node:fs/promises';
import { KeepsakeError } from '../../kernel/errors.ts';
import { packageRoot } from '../../runtime/package-root.ts';

/** Name → type. No other file is ever read. */
export const ASSET_TYPES: Readonly<Record<string, string>> = {
  'app.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'inspector.css': 'text/css; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
};

export interface Asset {
  readonly type: string;
  readonly body: string;
}

/** Read with every request, so that a page that was bundled again needs a reload and no restart. */
export async function readAsset(
  name: string,
  folder: URL = new URL('dist/inspector/', packageRoot()),
): Promise<Asset> {
  const type = Object.hasOwn(ASSET_TYPES, name) ? ASSET_TYPES[name] : undefined;
  if (type === undefined) throw new KeepsakeError('NOT_FOUND', 'There is no such file.');
  try {
    return { type, body: await readFile(new URL(name, folder), 'utf8') };
  } catch (cause) {
    throw new KeepsakeError('INTERNAL', `The inspector has not been built: ${name} is missing.`, {
      cause,
      hint: 'In a clone of the repository, run "npm run build". Otherwise install Keepsake again.',
    });
  }
}
