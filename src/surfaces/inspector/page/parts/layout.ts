/** The frame of a view: its heading, and a list beside what was selected in it. */
import { type Child, h } from '../dom/elements.ts';

export function heading(title: string, about?: string, ...more: readonly Child[]): HTMLElement {
  return h(
    'div',
    { class: 'heading' },
    h('h1', null, title),
    about !== undefined && h('p', { class: 'small' }, about),
    more,
  );
}

interface SplitParts {
  readonly title: string;
  readonly about?: string;
  readonly controls?: Child;
  readonly finder: Child;
  readonly detail?: Child;
  /** Names the detail for screen readers. */
  readonly label: string;
  readonly isSlim?: boolean;
}

interface Split {
  readonly element: HTMLElement;
  readonly detail: HTMLElement;
  /** On a narrow screen, shows the detail instead of the list. */
  setOpen(isOpen: boolean): void;
}

export function split({ title, about, controls, finder, detail, label, isSlim = false }: SplitParts): Split {
  const place = h('section', { class: 'detail', 'aria-label': label, tabindex: -1 }, detail);
  const element = h(
    'div',
    { class: isSlim ? 'split slim' : 'split' },
    h('section', { class: 'finder' }, heading(title, about), controls, finder),
    place,
  );
  return { element, detail: place, setOpen: (isOpen) => element.classList.toggle('is-open', isOpen) };
}
