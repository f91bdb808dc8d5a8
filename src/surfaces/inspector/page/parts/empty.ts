/** What is shown where there is nothing yet: what will be here, and how it gets here. */
import { fill, h } from '../dom/elements.ts';
import { button } from './controls.ts';

const COPIED_MS = 1_500;

/** The icon of the current view. */
function mark(): Node | undefined {
  const icon = document.querySelector('#tabs a[aria-current] svg')?.cloneNode(true) as Element | undefined;
  icon?.setAttribute('class', 'empty-mark');
  return icon;
}

/** A command to run, with a button that copies it. */
export function command(text: string): HTMLElement {
  // Browsers offer the clipboard to secure origins only.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  const copy = button(
    'Copy',
    async () => {
      await clipboard?.writeText(text).then(
        () => fill(copy, 'Copied'),
        () => {},
      );
      setTimeout(() => fill(copy, 'Copy'), COPIED_MS);
    },
    { class: 'quiet' },
  );
  return h('div', { class: 'command' }, h('pre', null, text), clipboard !== undefined && copy);
}

export function empty(title: string, text: string, example?: string): HTMLElement {
  return h(
    'div',
    { class: 'empty' },
    mark(),
    h('h2', null, title),
    h('p', null, text),
    example !== undefined && command(example),
  );
}
