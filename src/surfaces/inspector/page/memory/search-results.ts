/** The results of a search, best match first, with what the server says about this search. */
import type { Hit, Memory, MemoryFilter } from '../api.ts';
import { callWithNotices } from '../call.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { memoryHit } from './memory-row.ts';

const MOST_HITS = 25;

export class SearchResults {
  readonly element = h('ol', { class: 'list hits', 'aria-label': 'Memories, best match first' });
  readonly #isOpen: (id: string) => boolean;
  #found = new Map<string, Hit>();
  #notices: readonly string[] = [];
  #question = '';
  #asking = new AbortController();

  constructor(isOpen: (id: string) => boolean) {
    this.#isOpen = isOpen;
  }

  get size(): number {
    return this.#found.size;
  }

  /** Asks the server; a search that is still running is cancelled. */
  async load(question: string, filter: MemoryFilter): Promise<void> {
    this.stop();
    this.#asking = new AbortController();
    const query = { q: question, limit: MOST_HITS, ...filter };
    const { signal } = this.#asking;
    const { answer, notices } = await callWithNotices('GET /v1/memory/search', { query, signal });
    this.#question = question;
    this.#notices = notices;
    this.#found = new Map(answer.map((hit) => [hit.id, hit]));
  }

  /** A result that had the focus keeps it. */
  draw(): void {
    const active = document.activeElement;
    const focused =
      active instanceof HTMLElement && this.element.contains(active) ? active.dataset.id : undefined;
    fill(
      this.element,
      [...this.#found.values()].map((hit) => this.#row(hit)),
    );
    if (focused !== undefined) this.#link(focused)?.focus();
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
    this.#link(memory.id)?.parentElement?.replaceWith(this.#row(changed));
  }

  remove(id: string): void {
    this.#found.delete(id);
    this.#link(id)?.parentElement?.remove();
  }

  stop(): void {
    this.#asking.abort();
  }

  #row(hit: Hit): HTMLElement {
    return memoryHit(hit, this.#isOpen(hit.id), this.#question);
  }

  #link(id: string): HTMLElement | null {
    return this.element.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
  }
}
