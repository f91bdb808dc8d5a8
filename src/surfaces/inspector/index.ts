/** The web inspector: its page and the files that the page loads. */
export { ASSET_TYPES, readAsset } from './assets.ts';
export { INSPECTOR_HTML } from './html.ts';
export { usedLinkPage } from './used-link.ts';
