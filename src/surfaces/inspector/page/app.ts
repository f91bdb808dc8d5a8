/** The inspector: shows the view that the address names, follows events, and handles the keys that work everywhere. */
import type { Tab } from '../html.ts';
import { conversationsView } from './conversations/conversations-view.ts';
import { currentAddress, goTo } from './dom/address.ts';
import { byId, fill, markCurrent } from './dom/elements.ts';
import { eventsView } from './events/events-view.ts';
import { feed, onFeed } from './feed/feed.ts';
import { follow } from './feed/follow.ts';
import { guardView } from './guard/guard-view.ts';
import { countWaiting, followWaiting } from './guard/waiting-badge.ts';
import { identify } from './identity.ts';
import { dropKey, storedKey } from './key.ts';
import { keysView } from './keys/keys-view.ts';
import { memoryView } from './memory/memory-view.ts';
import { setSession } from './no-session.ts';
import { overviewView } from './overview/overview-view.ts';
import { sectionsView } from './sections/sections-view.ts';
import { sessionsView } from './sessions/sessions-view.ts';
import { PLACES, showShortcuts } from './shortcuts.ts';
import { swarmsView } from './swarms/swarms-view.ts';
import { usersView } from './users/users-view.ts';
import type { View } from './view.ts';

const VIEWS: Readonly<Record<Tab, () => View>> = {
  memory: memoryView,
  sections: sectionsView,
  conversations: conversationsView,
  sessions: sessionsView,
  swarms: swarmsView,
  events: eventsView,
  guard: guardView,
  overview: overviewView,
  users: usersView,
  keys: keysView,
};
const EXPIRED =
  'Your key has stopped working: it has expired or was revoked. Sign in with a new one; the owner of the server makes it.';
/** How long a g waits for its second key. */
const CHORD_MS = 1_500;
const TAB_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

const main = byId('main');
const menu = byId('menu');
const tabs = [...document.querySelectorAll<HTMLElement>('#tabs a')];
let shown: { readonly name: Tab; readonly view: View } | undefined;
let chordAt = -Infinity;

const isTab = (name: string): name is Tab => Object.hasOwn(VIEWS, name);

function currentTab(): Tab {
  const { view } = currentAddress();
  return isTab(view) ? view : 'memory';
}

function open(name: Tab): View {
  shown?.view.leave?.();
  markCurrent(tabs, ({ dataset }) => dataset.tab === name, 'page');
  tabs.find(({ dataset }) => dataset.tab === name)?.scrollIntoView({ block: 'nearest', inline: 'center' });
  const view = VIEWS[name]();
  shown = { name, view };
  fill(main, view.element);
  document.title = `${name.charAt(0).toUpperCase()}${name.slice(1)} · Keepsake`;
  return view;
}

function setMenu(isOpen: boolean): void {
  menu.setAttribute('aria-expanded', String(isOpen));
  document.body.classList.toggle('has-menu', isOpen);
}

function show(): void {
  setMenu(false);
  // A question belongs to the view that asked it.
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close('no');
  const name = currentTab();
  const view = shown?.name === name ? shown.view : open(name);
  view.show?.(currentAddress().parts);
}

function moveTab({ key }: KeyboardEvent): boolean {
  const step = TAB_STEPS[key];
  const offered = tabs.filter(({ hidden }) => !hidden);
  const at = offered.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || at < 0) return false;
  offered[(at + step + offered.length) % offered.length]?.focus();
  return true;
}

function goByChord({ key, timeStamp }: KeyboardEvent): boolean {
  const isSecond = timeStamp - chordAt < CHORD_MS;
  chordAt = key === 'g' ? timeStamp : -Infinity;
  const place = Object.hasOwn(PLACES, key) ? PLACES[key] : undefined;
  if (!isSecond || place === undefined) return key === 'g';
  goTo(place);
  return true;
}

function goToSearch(): void {
  if (currentTab() !== 'memory') goTo('memory');
  show();
  byId<HTMLInputElement>('search').select();
}

function pressEverywhere(event: KeyboardEvent): boolean {
  if (goByChord(event)) return true;
  if (event.key === '/') goToSearch();
  else if (event.key === '?') showShortcuts();
  else return false;
  return true;
}

function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && menu.getAttribute('aria-expanded') === 'true') {
    setMenu(false);
    menu.focus();
    return;
  }
  const isElsewhere = document.querySelector('dialog[open]') !== null || main.hidden;
  if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return;
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  const isUsed =
    moveTab(event) || (!isTyping && pressEverywhere(event)) || shown?.view.key?.(event, isTyping) === true;
  if (isUsed) event.preventDefault();
}

/** Also after an interruption: what failed without a session is read again. */
function connected(): void {
  if (main.hidden) {
    setSession(true);
    shown?.view.leave?.();
    shown = undefined;
    show();
  }
  identify().then((isAdmin) => (isAdmin ? countWaiting() : undefined));
}

/** A key that stops working is not tried again. */
function lost(): void {
  const hadKey = storedKey() !== undefined;
  dropKey();
  setSession(false, hadKey ? EXPIRED : undefined);
}

/** The link, if there was one, still counts: the page starts again with it or asks for a key. */
function signOut(): void {
  dropKey();
  location.reload();
}

let lastState: typeof feed.state | undefined;
addEventListener('hashchange', show);
addEventListener('keydown', onKey);
addEventListener('keepsake:no-session', lost);
addEventListener('keepsake:signed-in', connected);
byId('sign-out').addEventListener('click', signOut);
// Also for the view that is shown already.
byId('tabs').addEventListener('click', () => setMenu(false));
menu.addEventListener('click', () => setMenu(menu.getAttribute('aria-expanded') !== 'true'));
byId('help').addEventListener('click', showShortcuts);
followWaiting();
onFeed(() => {
  const live = byId('live');
  live.dataset.state = feed.state;
  fill(live, feed.state);
  if (feed.state === 'live' && lastState !== 'live') connected();
  lastState = feed.state;
});
show();
follow();
