/** The results of a search, best match first, with how many more there are and what the server says about this search. */
import type { Hit, Memory, MemoryFilter } from '../api.ts';
import { callWithNotices } from '../call.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { count } from '../dom/format.ts';
import { button } from '../parts/controls.ts';
import { memoryHit } from './memory-row.ts';

/** How many are drawn at first, and with each further step. */
const STEP = 25;
/** How many are asked for: at first, and once all of these are drawn. One more shows whether there are any beyond. */
const FIRST = 100;
const MOST = 1_000;

export interface SearchFilter extends MemoryFilter {
  /** Empty: only likely answers. */
  readonly all: string;
}

interface ResultsOptions {
  readonly isOpen: (id: string) => boolean;
  readonly isChosen: (id: string) => boolean;
  /** Reads the same search again, now with more results. */
  readonly again: () => unknown;
  readonly setAll: (isAll: boolean) => void;
}

export class SearchResults {
  readonly element = h('ol', { class: 'list hits', 'aria-label': 'Memories, best match first' });
  readonly #options: ResultsOptions;
  #found = new Map<string, Hit>();
  #notices: readonly string[] = [];
  #asked = '';
  #question = '';
  #shown = STEP;
  #limit = FIRST;
  #isCut = false;
  #isAll = false;
  /** Matches that are less likely to be answers. */
  #weaker = 0;
  #asking = new AbortController();

  constructor(options: ResultsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#found.size;
  }

  /** Asks the server; a search that is still running is cancelled. */
  async load(question: string, filter: SearchFilter): Promise<void> {
    this.stop();
    this.#asking = new AbortController();
    const asked = JSON.stringify([question, filter]);
    const limit = asked === this.#asked ? this.#limit : FIRST;
    const query = { q: question, limit: Math.min(MOST, limit + 1), ...filter };
    const { signal } = this.#asking;
    const { answer, notices, more } = await callWithNotices('GET /v1/memory/search', { query, signal });
    if (asked !== this.#asked) this.#shown = STEP;
    this.#asked = asked;
    this.#question = question;
    this.#notices = notices;
    this.#limit = limit;
    this.#isCut = answer.length > limit || answer.length === MOST;
    this.#isAll = filter.all !== '';
    this.#weaker = more;
    this.#found = new Map(answer.slice(0, limit).map((hit) => [hit.id, hit]));
  }

  /** A result that had the focus keeps it. */
  draw(): void {
    const active = document.activeElement;
    const focused =
      active instanceof HTMLElement && this.element.contains(active) ? active.dataset.id : undefined;
    fill(
      this.element,
      [...this.#found.values()].slice(0, this.#shown).map((hit) => this.#row(hit)),
    );
    if (focused !== undefined) this.#link(focused)?.focus();
  }

  /** How many there are, and how many of them are drawn. */
  status(): Child {
    const { size } = this;
    if (size === 0) return null;
    const all = `${this.#isCut ? 'more than ' : ''}${count(size, 'memory', 'memories')}`;
    const shown = Math.min(size, this.#shown);
    return shown < size || this.#isCut
      ? `The best ${shown} of ${all}`
      : `${count(size, 'memory', 'memories')}, best match first`;
  }

  /** The way to what is not drawn: further results, and weaker matches. */
  further(): HTMLElement {
    const rest = Math.min(STEP, this.size - this.#shown);
    const isMore = rest > 0 || (this.#isCut && this.#limit < MOST);
    const weaker = `At least ${count(this.#weaker, 'weaker match', 'weaker matches')} left out: less likely to answer the question.`;
    return h(
      'div',
      { class: 'further' },
      isMore && button(`Show ${rest > 0 ? rest : STEP} more`, () => this.#showMore()),
      !isMore &&
        this.#isCut &&
        h(
          'p',
          { class: 'small' },
          `A search returns at most ${count(MOST)}. Narrow it down with other words or filters.`,
        ),
      this.#weaker > 0 && [
        h('p', { class: 'small' }, weaker),
        button('Show weaker matches', () => this.#options.setAll(true)),
      ],
      this.#isAll && [
        h('p', { class: 'small' }, 'Weaker matches are included.'),
        button('Only likely answers', () => this.#options.setAll(false)),
      ],
    );
  }

  /** What limited this search, for example that only words were compared. */
  notices(): Child {
    return this.#notices.map((notice) => h('p', { class: 'notice', role: 'status' }, notice));
  }

  get(id: string): Hit | undefined {
    return this.#found.get(id);
  }

  replace(memory: Memory): void {
    const hit = this.#found.get(memory.id);
    if (hit === undefined) return;
    const changed = { ...hit, ...memory };
    this.#found.set(memory.id, changed);
    this.#link(memory.id)?.closest('li')?.replaceWith(this.#row(changed));
  }

  remove(id: string): void {
    this.#found.delete(id);
    this.#link(id)?.closest('li')?.remove();
  }

  stop(): void {
    this.#asking.abort();
  }

  #showMore(): void {
    this.#shown += STEP;
    if (this.#shown > this.size && this.#isCut) this.#limit = MOST;
    this.#options.again();
  }

  #row(hit: Hit): HTMLElement {
    const { isOpen, isChosen } = this.#options;
    return memoryHit(hit, this.#question, { isOpen: isOpen(hit.id), isChosen: isChosen(hit.id) });
  }

  #link(id: string): HTMLElement | null {
    return this.element.querySelector<HTMLElement>(`a[data-id="${CSS.escape(id)}"]`);
  }
}
