/** Browser script: the keys that work everywhere, and the overlay that lists them. */
export const KEYS_JS = `
import { h } from './dom.js';
import { button } from './widgets.js';

/** g, then one of these. */
export const PLACES = { m: 'memory', s: 'sections', c: 'conversations', r: 'sessions', w: 'swarms', e: 'events', q: 'guard', o: 'overview' };

const HELP = [
  ['Everywhere', [['/', 'search memory'], ['↑ ↓ or j k', 'choose from a list'], ['Enter', 'open'], ['Esc', 'back, or clear the search'], ['?', 'this help']]],
  ['Go to: g, then', Object.entries(PLACES).map(([key, name]) => [key, name])],
  ['A memory', [['e', 'edit'], ['p', 'pin or unpin'], ['x', 'expire now'], ['u', 'undo the last change'], ['Delete', 'forget, with time to undo'], ['Ctrl+Enter', 'save while editing']]],
];

export function showHelp() {
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-label': 'Keys', on: { close: () => dialog.remove() } },
    h('div', { class: 'detail-head' }, h('h2', null, 'Keys'), button('Close', () => dialog.close(), { class: 'quiet', autofocus: true })),
    h('div', { class: 'help-groups' }, HELP.map(([title, keys]) => h('section', null, h('h3', null, title), h('dl', null, keys.map(([key, text]) => [h('dt', null, key.split(' ').map((each) => (each === 'or' ? ' or ' : h('kbd', null, each)))), h('dd', null, text)]))))),
  );
  document.body.append(dialog);
  dialog.showModal();
}
`;
