/** Every file that the inspector loads, by name. They are texts in modules, so that they ship with the code that serves them. */
import { API_JS } from './scripts/api.ts';
import { APP_JS } from './scripts/app.ts';
import { ARCHIVES_JS } from './scripts/archives.ts';
import { CHARTS_JS } from './scripts/charts.ts';
import { CONVERSATIONS_JS } from './scripts/conversations.ts';
import { DOM_JS } from './scripts/dom.ts';
import { EVENTS_JS } from './scripts/events.ts';
import { FEED_JS } from './scripts/feed.ts';
import { GUARD_JS } from './scripts/guard.ts';
import { KEYS_JS } from './scripts/keys.ts';
import { MEMORY_JS } from './scripts/memory.ts';
import { MEMORY_DETAIL_JS } from './scripts/memory-detail.ts';
import { MEMORY_EDIT_JS } from './scripts/memory-edit.ts';
import { MEMORY_PAGES_JS } from './scripts/memory-pages.ts';
import { MEMORY_ROW_JS } from './scripts/memory-row.ts';
import { MESSAGES_JS } from './scripts/messages.ts';
import { OVERVIEW_JS } from './scripts/overview.ts';
import { PACED_JS } from './scripts/paced.ts';
import { RECEIPT_JS } from './scripts/receipt.ts';
import { SECTIONS_JS } from './scripts/sections.ts';
import { SESSIONS_JS } from './scripts/sessions.ts';
import { SWARMS_JS } from './scripts/swarms.ts';
import { TOASTS_JS } from './scripts/toasts.ts';
import { VIRTUAL_LIST_JS } from './scripts/virtual-list.ts';
import { WIDGETS_JS } from './scripts/widgets.ts';
import { INSPECTOR_CSS } from './style/index.ts';

/** The sign of a browser's tab, which takes the colour that is legible on light and dark. */
const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M5 2h10v16l-5-4-5 4z" fill="#14948c"/></svg>';

export interface Asset {
  readonly type: string;
  readonly body: string;
}

const script = (body: string): Asset => ({ type: 'text/javascript; charset=utf-8', body });

export const INSPECTOR_ASSETS: Readonly<Record<string, Asset>> = {
  'icon.svg': { type: 'image/svg+xml', body: ICON_SVG },
  'inspector.css': { type: 'text/css; charset=utf-8', body: INSPECTOR_CSS },
  'api.js': script(API_JS),
  'app.js': script(APP_JS),
  'archives.js': script(ARCHIVES_JS),
  'charts.js': script(CHARTS_JS),
  'conversations.js': script(CONVERSATIONS_JS),
  'dom.js': script(DOM_JS),
  'events.js': script(EVENTS_JS),
  'feed.js': script(FEED_JS),
  'guard.js': script(GUARD_JS),
  'keys.js': script(KEYS_JS),
  'memory.js': script(MEMORY_JS),
  'memory-detail.js': script(MEMORY_DETAIL_JS),
  'memory-edit.js': script(MEMORY_EDIT_JS),
  'memory-pages.js': script(MEMORY_PAGES_JS),
  'memory-row.js': script(MEMORY_ROW_JS),
  'messages.js': script(MESSAGES_JS),
  'overview.js': script(OVERVIEW_JS),
  'paced.js': script(PACED_JS),
  'receipt.js': script(RECEIPT_JS),
  'sections.js': script(SECTIONS_JS),
  'sessions.js': script(SESSIONS_JS),
  'swarms.js': script(SWARMS_JS),
  'toasts.js': script(TOASTS_JS),
  'virtual-list.js': script(VIRTUAL_LIST_JS),
  'widgets.js': script(WIDGETS_JS),
};
