/** Browser script: a list of any length of which only the rows in sight exist. All rows have the same height. */
export const VIRTUAL_LIST_JS = `
import { h } from './dom.js';

/** Rows that are kept ready above and below. */
const SPARE = 6;
/** Browsers draw nothing taller than some 30 million pixels; longer lists move faster than the bar. */
const TALLEST = 15000000;

/**
 * render(i) makes the row with that number. The number of rows is set by setTotal; refresh draws what is in sight
 * anew, and inSight is called with the first and last row that it shows.
 */
export function virtualList({ rowHeight, render, inSight = () => {}, label }) {
  const layer = h('div', { class: 'rows', role: 'list', 'aria-label': label });
  const element = h('div', { class: 'viewport' }, layer);
  const rows = new Map();
  let total = 0;
  let waiting = false;

  const height = () => Math.min(total * rowHeight, TALLEST);

  /** Where the window begins, counted in the pixels of the whole list. */
  function top() {
    const room = height() - element.clientHeight;
    const hidden = total * rowHeight - element.clientHeight;
    return room <= 0 ? 0 : (Math.min(element.scrollTop, room) / room) * hidden;
  }

  function place(isFresh) {
    waiting = false;
    const from = top();
    const first = Math.max(0, Math.floor(from / rowHeight) - SPARE);
    const last = Math.min(total - 1, Math.ceil((from + element.clientHeight) / rowHeight) + SPARE);
    const focused = layer.contains(document.activeElement) ? Number(document.activeElement.closest('[data-row]').dataset.row) : undefined;
    for (const [i, row] of rows) {
      if (isFresh || i < first || i > last) {
        row.remove();
        rows.delete(i);
      }
    }
    for (let i = first; i <= last; i++) {
      let row = rows.get(i);
      if (row === undefined) {
        row = render(i);
        row.dataset.row = i;
        row.setAttribute('role', 'listitem');
        row.setAttribute('aria-posinset', i + 1);
        row.setAttribute('aria-setsize', total);
        rows.set(i, row);
        layer.append(row);
      }
      row.style.transform = 'translateY(' + (element.scrollTop + i * rowHeight - from) + 'px)';
    }
    if (focused !== undefined && isFresh) rows.get(focused)?.querySelector('a')?.focus({ preventScroll: true });
    if (last >= first) inSight(first, last);
  }

  function later() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => place(false));
  }

  element.addEventListener('scroll', later, { passive: true });
  const resized = new ResizeObserver(later);
  resized.observe(element);

  function reveal(i) {
    const from = top();
    const room = height() - element.clientHeight;
    const hidden = total * rowHeight - element.clientHeight;
    if (room <= 0) return;
    let wanted = from;
    if (i * rowHeight < from) wanted = i * rowHeight;
    else if ((i + 1) * rowHeight > from + element.clientHeight) wanted = (i + 1) * rowHeight - element.clientHeight;
    else return;
    element.scrollTop = (wanted / hidden) * room;
    place(false);
  }

  return {
    element,
    setTotal(many) {
      total = many;
      layer.style.height = height() + 'px';
      place(true);
    },
    refresh: () => place(true),
    isAtTop: () => element.scrollTop < rowHeight,
    toTop: () => { element.scrollTop = 0; },
    /** The row that has the focus; -1 for none. */
    focused: () => (layer.contains(document.activeElement) ? Number(document.activeElement.closest('[data-row]').dataset.row) : -1),
    focus(i) {
      const wanted = Math.max(0, Math.min(total - 1, i));
      if (total === 0) return;
      reveal(wanted);
      rows.get(wanted)?.querySelector('a')?.focus({ preventScroll: true });
    },
    total: () => total,
    leave: () => resized.disconnect(),
  };
}
`;
