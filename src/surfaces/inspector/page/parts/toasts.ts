/** Short messages at the edge of the page. */
import { byId, h } from '../dom/elements.ts';

const SHOWN_MS = 6_000;
const MOST = 3;

interface ToastOptions {
  /** A "grace" stays as long as its action is possible. */
  readonly kind?: 'info' | 'error' | 'grace';
  readonly action?: { readonly text: string; readonly run: () => unknown };
  readonly shownMs?: number;
}

/** Returns a function that removes the message. */
export function toast(text: string, options: ToastOptions = {}): () => void {
  const { kind = 'info', action, shownMs = SHOWN_MS } = options;
  const place = byId('toasts');
  const close = () => {
    clearTimeout(timer);
    element.remove();
  };
  const act = () => {
    close();
    action?.run();
  };
  const element = h(
    'div',
    { class: `toast ${kind}`, role: kind === 'error' ? 'alert' : 'status' },
    h('span', null, text),
    action !== undefined &&
      h('button', { type: 'button', class: 'toast-action', on: { click: act } }, action.text),
    h('button', { type: 'button', class: 'toast-close', 'aria-label': 'Dismiss', on: { click: close } }, '×'),
  );
  const timer = kind === 'error' ? undefined : setTimeout(close, shownMs);
  place.append(element);
  if (place.childElementCount > MOST) {
    place.querySelector('.toast:not(.grace):not(:last-child)')?.remove();
  }
  return close;
}
