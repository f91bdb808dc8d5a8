/** The keyboard shortcuts that work everywhere, and the dialog that lists them. */
import type { Tab } from '../html.ts';
import { h } from './dom/elements.ts';
import { button } from './parts/controls.ts';

/** g, then one of these. */
export const PLACES: Readonly<Record<string, Tab>> = {
  m: 'memory',
  s: 'sections',
  c: 'conversations',
  r: 'sessions',
  w: 'swarms',
  e: 'events',
  q: 'guard',
  o: 'overview',
  u: 'users',
  k: 'keys',
};

type Shortcut = readonly [keys: string, meaning: string];

const GROUPS: readonly (readonly [title: string, shortcuts: readonly Shortcut[]])[] = [
  [
    'Everywhere',
    [
      ['/', 'search memory'],
      ['↑ ↓ or j k', 'move in a list'],
      ['Enter', 'open'],
      ['Esc', 'back, or clear the search'],
      ['?', 'this help'],
    ],
  ],
  ['Go to: g, then', Object.entries(PLACES)],
  [
    'A memory',
    [
      ['n', 'new'],
      ['e', 'edit'],
      ['p', 'pin or unpin'],
      ['x', 'expire now'],
      ['u', 'undo the last change'],
      ['Delete', 'forget, with time to undo'],
      ['Ctrl+Enter', 'save while editing'],
    ],
  ],
];

function shortcut([keys, meaning]: Shortcut): HTMLElement[] {
  const shown = keys.split(' ').map((key) => (key === 'or' ? ' or ' : h('kbd', null, key)));
  return [h('dt', null, shown), h('dd', null, meaning)];
}

export function showShortcuts(): void {
  const groups = GROUPS.map(([title, shortcuts]) =>
    h('section', null, h('h3', null, title), h('dl', null, shortcuts.map(shortcut))),
  );
  const dialog: HTMLDialogElement = h(
    'dialog',
    { class: 'help', 'aria-label': 'Keyboard shortcuts', on: { close: () => dialog.remove() } },
    h(
      'div',
      { class: 'detail-head' },
      h('h2', null, 'Keyboard shortcuts'),
      button('Close', () => dialog.close(), { class: 'quiet', autofocus: true }),
    ),
    h('div', { class: 'help-groups' }, groups),
  );
  document.body.append(dialog);
  dialog.showModal();
}
