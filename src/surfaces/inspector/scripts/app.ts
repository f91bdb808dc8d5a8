/** Browser script: which part of the page is shown, the keys that work everywhere, and what to say without a session. */
export const APP_JS = `
import { fill, h } from './dom.js';
import { eventsPage } from './events.js';
import { feed, follow, onFeed } from './feed.js';
import { guardPage } from './guard.js';
import { memoryPage } from './memory.js';
import { overviewPage } from './overview.js';
import { sessionsPage } from './sessions.js';
import { notice } from './widgets.js';

const PAGES = { memory: memoryPage, events: eventsPage, guard: guardPage, sessions: sessionsPage, overview: overviewPage };

const main = document.getElementById('main');
const tabs = [...document.querySelectorAll('#tabs a')];
let shown;
let hasSession = true;

function part() {
  const [name, ...rest] = location.hash.slice(1).split('/');
  let id = rest.join('/');
  try {
    id = decodeURIComponent(id);
  } catch {
    // Shown as it is written.
  }
  return { name: Object.hasOwn(PAGES, name) ? name : 'memory', id };
}

/** A page answers { element, show(id), key(event), leave() }; all but the element are optional. */
function show() {
  if (!hasSession) return;
  const { name, id } = part();
  if (shown?.name !== name) {
    if (shown !== undefined) notice('', 'none');
    shown?.page.leave?.();
    shown = { name, page: PAGES[name]() };
    fill(main, shown.page.element);
    for (const tab of tabs) {
      if (tab.dataset.tab === name) tab.setAttribute('aria-current', 'page');
      else tab.removeAttribute('aria-current');
    }
  }
  shown.page.show?.(id);
}

function showNoSession() {
  if (!hasSession) return;
  hasSession = false;
  shown?.page.leave?.();
  fill(
    main,
    h(
      'section',
      { class: 'card no-session' },
      h('h1', null, 'This browser has no session'),
      h('p', null, 'The inspector opens with the link that "keepsake serve" prints when it starts. Each link works once, for ten minutes, and the session it begins lasts until the server ends or twelve hours have passed.'),
      h('p', null, 'For a new link, start the server again, or ask it for one with the key of the owner:'),
      h('pre', null, 'curl -X POST ' + location.origin + '/v1/browser/link -H "Authorization: Bearer $(cat data/server.key)"'),
      h('p', null, 'Then open the path that it answers with, here in this browser.'),
    ),
  );
}

function moveTab(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const at = tabs.indexOf(document.activeElement);
  if (step === undefined || at < 0) return false;
  tabs[(at + step + tabs.length) % tabs.length].focus();
  return true;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const isTyping = event.target.matches('input, textarea, select');
  if (event.key === '/' && !isTyping && hasSession) {
    if (part().name !== 'memory') location.hash = '#memory';
    show();
    document.getElementById('search').focus();
    event.preventDefault();
  } else if (moveTab(event) || shown?.page.key?.(event, isTyping)) {
    event.preventDefault();
  }
}

addEventListener('hashchange', show);
addEventListener('keydown', onKey);
addEventListener('keepsake:no-session', showNoSession);
onFeed(() => {
  const live = document.getElementById('live');
  live.dataset.state = feed.state;
  fill(live, feed.state);
});
show();
follow();
`;
