/** The page at `/`, and the files that it and the other pages load from /assets. */
import { type Asset, INSPECTOR_ASSETS, INSPECTOR_HTML } from '../../inspector/index.ts';
import { DOCS_CSS } from './docs-style.ts';

export type { Asset };

const ASSETS: Readonly<Record<string, Asset>> = {
  ...INSPECTOR_ASSETS,
  'page.css': { type: 'text/css; charset=utf-8', body: DOCS_CSS },
};

export function inspectorPage(): string {
  return INSPECTOR_HTML;
}

/** Only names that are in the list: nothing is read from disk. */
export function inspectorAsset(name: string): Asset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
