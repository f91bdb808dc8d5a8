/** The page at `/`, and the files that it loads from /assets. */
import { htmlPage } from './html.ts';

export interface Asset {
  readonly type: string;
  readonly body: string;
}

const PAGE_CSS = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
code { font-size: 0.95em; }
small { font-weight: normal; opacity: 0.7; }
table { border-collapse: collapse; }
td { border-top: 1px solid #8884; padding: 0.25rem 0.75rem 0.25rem 0; vertical-align: top; }
`;

const ASSETS: Readonly<Record<string, Asset>> = {
  'page.css': { type: 'text/css; charset=utf-8', body: PAGE_CSS },
};

export function inspectorPage(): string {
  return htmlPage(
    'Keepsake',
    '<h1>Keepsake</h1>\n<p>The server is running. <a href="/docs">Its API</a> is described here.</p>',
  );
}

/** Only names that are in the list: nothing is read from disk. */
export function inspectorAsset(name: string): Asset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
