/** Browser script: which part of the page is shown, the keys that work everywhere, and what to say without a session. */
export const APP_JS = `
import { call } from './api.js';
import { conversationsPage } from './conversations.js';
import { fill, h } from './dom.js';
import { eventsPage } from './events.js';
import { feed, follow, onEvent, onFeed } from './feed.js';
import { guardPage } from './guard.js';
import { PLACES, showHelp } from './keys.js';
import { memoryPage } from './memory.js';
import { overviewPage } from './overview.js';
import { paced } from './paced.js';
import { sectionsPage } from './sections.js';
import { sessionsPage } from './sessions.js';
import { swarmsPage } from './swarms.js';
import { command } from './widgets.js';

const PAGES = {
  memory: memoryPage,
  sections: sectionsPage,
  conversations: conversationsPage,
  sessions: sessionsPage,
  swarms: swarmsPage,
  events: eventsPage,
  guard: guardPage,
  overview: overviewPage,
};
/** How long a g waits for its second key. */
const CHORD_MS = 1500;
const COUNT_PAUSE_MS = 500;

const main = document.getElementById('main');
const outside = document.getElementById('outside');
const tabs = [...document.querySelectorAll('#tabs a')];
let shown;
let chordAt = -Infinity;

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function part() {
  const [name, ...rest] = location.hash.slice(1).split('/');
  return { name: Object.hasOwn(PAGES, name) ? name : 'memory', parts: rest.filter((each) => each !== '').map(decode) };
}

/** A page answers { element, show(parts), key(event, isTyping), leave() }; all but the element are optional. */
function show() {
  // A question belongs to the page that asked it.
  document.querySelector('dialog[open]')?.close('no');
  const { name, parts } = part();
  if (shown?.name !== name) {
    shown?.page.leave?.();
    for (const tab of tabs) {
      if (tab.dataset.tab === name) tab.setAttribute('aria-current', 'page');
      else tab.removeAttribute('aria-current');
    }
    tabs.find((tab) => tab.dataset.tab === name).scrollIntoView({ block: 'nearest', inline: 'center' });
    shown = { name, page: PAGES[name]() };
    fill(main, shown.page.element);
    document.title = name.charAt(0).toUpperCase() + name.slice(1) + ' · Keepsake';
  }
  shown.page.show?.(parts);
}

const LOCAL = /^(?:localhost|127\\.[\\d.]+|\\[::1\\])$/;

function noSession() {
  return h(
    'section',
    { class: 'card' },
    h('h1', null, 'This browser has no session'),
    h('p', null, 'The inspector opens with the link that the server prints when it starts. Each link works once, for ten minutes; the session it begins lasts twelve hours, or until the server ends.'),
    h('p', null, 'For a new link, run this where the workspace is, and open what it prints in this browser:'),
    command('keepsake inspect' + (LOCAL.test(location.hostname) ? '' : ' --url ' + location.origin)),
    h('p', { class: 'small' }, 'Where only a project has the package, write "npx keepsake"; in a clone of the repository, "node bin/keepsake.js".'),
    h('p', { class: 'small' }, 'This page then goes on by itself. Nothing that happened meanwhile is missed, and what you typed is still here.'),
  );
}

/** What the page showed stays as it is underneath. */
function letIn(hasSession) {
  outside.hidden = hasSession;
  main.hidden = !hasSession;
  if (!hasSession && outside.childElementCount === 0) fill(outside, noSession());
}

function moveTab(event) {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const at = tabs.indexOf(document.activeElement);
  if (step === undefined || at < 0) return false;
  tabs[(at + step + tabs.length) % tabs.length].focus();
  return true;
}

function goTo(event) {
  const isSecond = event.timeStamp - chordAt < CHORD_MS;
  chordAt = event.key === 'g' ? event.timeStamp : -Infinity;
  if (!isSecond || !Object.hasOwn(PLACES, event.key)) return event.key === 'g';
  location.hash = '#' + PLACES[event.key];
  return true;
}

function search() {
  if (part().name !== 'memory') location.hash = '#memory';
  show();
  document.getElementById('search').select();
  return true;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') || main.hidden) return;
  const isTyping = event.target.matches('input, textarea, select');
  const isOurs =
    moveTab(event) ||
    (!isTyping && goTo(event)) ||
    (!isTyping && event.key === '/' && search()) ||
    (!isTyping && event.key === '?' && (showHelp(), true)) ||
    shown?.page.key?.(event, isTyping);
  if (isOurs) event.preventDefault();
}

async function countWaiting() {
  const waiting = await call('POST /v1/guard/list', { body: { limit: 100, state: 'waiting' } }).catch(() => undefined);
  if (waiting === undefined) return;
  const badge = document.getElementById('waiting');
  badge.hidden = waiting.length === 0;
  fill(badge, waiting.length === 100 ? '99+' : waiting.length);
}

addEventListener('hashchange', show);
addEventListener('keydown', onKey);
addEventListener('keepsake:no-session', () => letIn(false));
document.getElementById('help').addEventListener('click', showHelp);
const recount = paced(countWaiting, COUNT_PAUSE_MS);
onEvent(({ type }) => {
  if (type === 'memory.blocked') recount();
});
addEventListener('keepsake:decided', countWaiting);
let was;
onFeed(() => {
  const live = document.getElementById('live');
  live.dataset.state = feed.state;
  fill(live, feed.state);
  if (feed.state === 'live' && was !== 'live') {
    // Also after a break: what failed while there was no session is asked for again.
    if (main.hidden) {
      letIn(true);
      shown?.page.leave?.();
      shown = undefined;
      show();
    }
    countWaiting();
  }
  was = feed.state;
});
show();
follow();
`;
