/** The page at `/`, and the files that it and the other pages load from /assets. */
import { type Asset, INSPECTOR_ASSETS, INSPECTOR_HTML } from '../../inspector/index.ts';

export type { Asset };

const PAGE_CSS = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
code { font-size: 0.95em; }
small { font-weight: normal; opacity: 0.7; }
table { border-collapse: collapse; }
td { border-top: 1px solid #8884; padding: 0.25rem 0.75rem 0.25rem 0; vertical-align: top; }
`;

const ASSETS: Readonly<Record<string, Asset>> = {
  ...INSPECTOR_ASSETS,
  'page.css': { type: 'text/css; charset=utf-8', body: PAGE_CSS },
};

export function inspectorPage(): string {
  return INSPECTOR_HTML;
}

/** Only names that are in the list: nothing is read from disk. */
export function inspectorAsset(name: string): Asset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
