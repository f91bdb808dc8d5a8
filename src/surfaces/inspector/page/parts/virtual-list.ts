/** A list of any length of which only the rows in sight exist. All rows have the same height. */
import { h } from '../dom/elements.ts';

/** Rows that are kept ready above and below. */
const SPARE = 6;
/** Browsers draw nothing taller than some 30 million pixels; longer lists move faster than the scroll bar. */
const TALLEST = 15_000_000;

interface VirtualListOptions {
  readonly rowHeight: number;
  readonly label: string;
  /** Makes the row with that number. */
  readonly render: (row: number) => HTMLElement;
  /** Called with the first and the last row that are shown. */
  readonly inSight: (first: number, last: number) => void;
}

export class VirtualList {
  readonly element: HTMLElement;
  readonly #options: VirtualListOptions;
  readonly #layer: HTMLElement;
  readonly #rows = new Map<number, HTMLElement>();
  readonly #resized: ResizeObserver;
  #total = 0;
  #isWaiting = false;

  constructor(options: VirtualListOptions) {
    this.#options = options;
    this.#layer = h('div', { class: 'rows', role: 'list', 'aria-label': options.label });
    this.element = h('div', { class: 'viewport' }, this.#layer);
    this.element.addEventListener('scroll', () => this.#placeLater(), { passive: true });
    this.#resized = new ResizeObserver(() => this.#placeLater());
    this.#resized.observe(this.element);
  }

  setTotal(total: number): void {
    this.#total = total;
    this.#layer.style.height = `${this.#drawnHeight()}px`;
    this.#place(true);
  }

  /** Draws the rows in sight again. */
  refresh(): void {
    this.#place(true);
  }

  isAtTop(): boolean {
    return this.element.scrollTop < this.#options.rowHeight;
  }

  toTop(): void {
    this.element.scrollTop = 0;
  }

  /** Number of the row that has the focus; -1 for none. */
  focused(): number {
    const active = document.activeElement;
    if (active === null || !this.#layer.contains(active)) return -1;
    return Number(active.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1);
  }

  focus(row: number): void {
    if (this.#total === 0) return;
    const wanted = Math.max(0, Math.min(this.#total - 1, row));
    this.#reveal(wanted);
    this.#focusRow(wanted);
  }

  leave(): void {
    this.#resized.disconnect();
  }

  #focusRow(row: number): void {
    this.#rows.get(row)?.querySelector('a')?.focus({ preventScroll: true });
  }

  #drawnHeight(): number {
    return Math.min(this.#total * this.#options.rowHeight, TALLEST);
  }

  /** How far the element scrolls, and how many pixels of the whole list that represents. */
  #range(): { readonly room: number; readonly hidden: number } {
    const { clientHeight } = this.element;
    return {
      room: this.#drawnHeight() - clientHeight,
      hidden: this.#total * this.#options.rowHeight - clientHeight,
    };
  }

  /** Where the window begins, in pixels of the whole list. */
  #top(): number {
    const { room, hidden } = this.#range();
    return room <= 0 ? 0 : (Math.min(this.element.scrollTop, room) / room) * hidden;
  }

  #placeLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => this.#place(false));
  }

  #place(isFresh: boolean): void {
    const { rowHeight, inSight } = this.#options;
    const { clientHeight, scrollTop } = this.element;
    this.#isWaiting = false;
    const from = this.#top();
    const first = Math.max(0, Math.floor(from / rowHeight) - SPARE);
    const last = Math.min(this.#total - 1, Math.ceil((from + clientHeight) / rowHeight) + SPARE);
    const focused = this.focused();
    for (const [number, row] of this.#rows) {
      if (!isFresh && number >= first && number <= last) continue;
      row.remove();
      this.#rows.delete(number);
    }
    for (let number = first; number <= last; number++) {
      const row = this.#rows.get(number) ?? this.#add(number);
      row.style.transform = `translateY(${scrollTop + number * rowHeight - from}px)`;
    }
    if (focused >= 0 && isFresh) this.#focusRow(focused);
    if (last >= first) inSight(first, last);
  }

  #add(number: number): HTMLElement {
    const row = this.#options.render(number);
    row.dataset.row = String(number);
    row.setAttribute('role', 'listitem');
    row.setAttribute('aria-posinset', String(number + 1));
    row.setAttribute('aria-setsize', String(this.#total));
    this.#rows.set(number, row);
    this.#layer.append(row);
    return row;
  }

  /** Scrolls as little as needed. */
  #reveal(row: number): void {
    const { rowHeight } = this.#options;
    const { clientHeight } = this.element;
    const { room, hidden } = this.#range();
    const from = this.#top();
    const above = row * rowHeight;
    const below = above + rowHeight - clientHeight;
    if (room <= 0 || (above >= from && below <= from)) return;
    this.element.scrollTop = ((above < from ? above : below) / hidden) * room;
    this.#place(false);
  }
}
