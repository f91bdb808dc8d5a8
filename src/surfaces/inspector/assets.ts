/** Every file that the inspector loads, by name. They are texts in modules, so that they ship with the code that serves them. */
import { API_JS } from './scripts/api.ts';
import { APP_JS } from './scripts/app.ts';
import { DOM_JS } from './scripts/dom.ts';
import { EVENTS_JS } from './scripts/events.ts';
import { FEED_JS } from './scripts/feed.ts';
import { GUARD_JS } from './scripts/guard.ts';
import { MEMORY_JS } from './scripts/memory.ts';
import { MEMORY_DETAIL_JS } from './scripts/memory-detail.ts';
import { MEMORY_EDIT_JS } from './scripts/memory-edit.ts';
import { OVERVIEW_JS } from './scripts/overview.ts';
import { SESSIONS_JS } from './scripts/sessions.ts';
import { WIDGETS_JS } from './scripts/widgets.ts';
import { INSPECTOR_CSS } from './style.ts';

export interface Asset {
  readonly type: string;
  readonly body: string;
}

const script = (body: string): Asset => ({ type: 'text/javascript; charset=utf-8', body });

export const INSPECTOR_ASSETS: Readonly<Record<string, Asset>> = {
  'inspector.css': { type: 'text/css; charset=utf-8', body: INSPECTOR_CSS },
  'api.js': script(API_JS),
  'app.js': script(APP_JS),
  'dom.js': script(DOM_JS),
  'events.js': script(EVENTS_JS),
  'feed.js': script(FEED_JS),
  'guard.js': script(GUARD_JS),
  'memory.js': script(MEMORY_JS),
  'memory-detail.js': script(MEMORY_DETAIL_JS),
  'memory-edit.js': script(MEMORY_EDIT_JS),
  'overview.js': script(OVERVIEW_JS),
  'sessions.js': script(SESSIONS_JS),
  'widgets.js': script(WIDGETS_JS),
};
