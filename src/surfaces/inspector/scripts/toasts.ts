/** Browser script: short messages at the edge of the page, some with a way back for as long as they are shown. */
export const TOASTS_JS = `
import { h } from './dom.js';

const SHOWN_MS = 6000;
/** Time to change one's mind about something that cannot be taken back later. */
const GRACE_MS = 8000;

const MOST = 3;

function place() {
  return document.getElementById('toasts');
}

/** Answers with a function that takes the message away. */
export function toast(text, { kind = 'info', action, shownMs = SHOWN_MS } = {}) {
  const close = () => { clearTimeout(timer); element.remove(); };
  const element = h(
    'div',
    { class: 'toast ' + kind, role: kind === 'error' ? 'alert' : 'status' },
    h('span', null, text),
    action && h('button', { type: 'button', class: 'toast-action', on: { click: () => { close(); action.run(); } } }, action.text),
    h('button', { type: 'button', class: 'toast-close', 'aria-label': 'Dismiss', on: { click: close } }, '×'),
  );
  const timer = kind === 'error' ? undefined : setTimeout(close, shownMs);
  place().append(element);
  // Those with a way back stay as long as there is one.
  if (place().childElementCount > MOST) place().querySelector('.toast:not(.grace):not(:last-child)')?.remove();
  return close;
}

const pending = new Set();

/**
 * Does something final after a moment in which it can be taken back. Whoever leaves the page meanwhile has decided:
 * work(true) is then called, and must use a request that outlives the page.
 */
export function afterGrace(text, work, takenBack) {
  const job = { run: (isLeaving) => { if (pending.delete(job)) { clearTimeout(timer); close(); work(isLeaving); } } };
  const back = () => { if (pending.delete(job)) { clearTimeout(timer); takenBack(); } };
  const close = toast(text, { kind: 'grace', action: { text: 'Undo', run: back }, shownMs: GRACE_MS + 1000 });
  const timer = setTimeout(() => job.run(false), GRACE_MS);
  pending.add(job);
}

addEventListener('pagehide', () => { for (const job of [...pending]) job.run(true); });
`;
