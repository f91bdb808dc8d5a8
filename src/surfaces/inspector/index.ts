/** The web inspector: its page and the files that the page loads. */
export { type Asset, INSPECTOR_ASSETS } from './assets.ts';
export { INSPECTOR_HTML } from './page.ts';
export { BASE_CSS } from './style/base.ts';
export { usedLinkPage } from './used-link.ts';
