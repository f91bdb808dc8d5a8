/** The memories of a list by their position, read page by page wherever the user looks. */
import type { Memory, MemoryFilter, StateFilter } from '../api.ts';
import { call, isExpected } from '../call.ts';

const PAGE = 100;
/** Pages that are kept; those looked at longest ago are dropped. */
const KEPT = 30;

export type ListFilter = MemoryFilter & { readonly state: StateFilter };

/** One reading of a list: its order stays as it was counted, while pages are read when they are needed. */
export class MemoryPages {
  readonly #filter: ListFilter;
  readonly #pages = new Map<number, Memory[]>();
  readonly #asked = new Set<number>();
  readonly #gone = new AbortController();
  /** Id of the last memory of each page; the next page begins after it. */
  #anchors: string[] = [];
  total = 0;
  /** False until the whole list was counted. */
  isCounted = false;
  /** Resolves when it was. */
  counted: Promise<void> = Promise.resolve();
  /** Called when rows or their number have arrived. */
  onChange: () => void = () => {};
  onProblem: (error: unknown) => void = () => {};

  constructor(filter: ListFilter) {
    this.#filter = filter;
  }

  /** Reads the first page; the number of all follows. */
  async open(): Promise<void> {
    await this.#read(0);
    if (this.#pages.get(0)?.length === PAGE) this.counted = this.#count();
    else this.isCounted = true;
  }

  at(row: number): Memory | undefined {
    return this.#pages.get(Math.floor(row / PAGE))?.[row % PAGE];
  }

  find(id: string): Memory | undefined {
    for (const page of this.#pages.values()) {
      const memory = page.find((each) => each.id === id);
      if (memory !== undefined) return memory;
    }
    return undefined;
  }

  /** Reads the pages of these rows that are not known yet. */
  want(first: number, last: number): void {
    for (let number = Math.floor(first / PAGE); number <= Math.floor(last / PAGE); number++) {
      const page = this.#pages.get(number);
      if (page === undefined) this.#read(number);
      else {
        // To the end of those that may be dropped.
        this.#pages.delete(number);
        this.#pages.set(number, page);
      }
    }
  }

  replace(memory: Memory): void {
    for (const page of this.#pages.values()) {
      const i = page.findIndex(({ id }) => id === memory.id);
      if (i >= 0) page[i] = memory;
    }
  }

  close(): void {
    this.#gone.abort();
    this.onChange = () => {};
    this.onProblem = () => {};
  }

  async #count(): Promise<void> {
    const { agent, user, category, source, state } = this.#filter;
    const filter = { category: category || undefined, source: source || undefined, state };
    const { signal } = this.#gone;
    try {
      const given = { query: { agent, user }, body: { every: PAGE, ...filter }, signal };
      const { anchors, total } = await call('POST /v1/memory/outline', given);
      this.#anchors = [...anchors];
      this.total = Math.max(this.total, total);
      this.isCounted = true;
      this.onChange();
    } catch (error) {
      this.#report(error);
    }
  }

  async #read(number: number): Promise<void> {
    const after = number === 0 ? undefined : this.#anchors[number - 1];
    if (this.#asked.has(number) || (number > 0 && after === undefined)) return;
    this.#asked.add(number);
    try {
      const query = { ...this.#filter, limit: PAGE, after };
      const page = await call('GET /v1/memory', { query, signal: this.#gone.signal });
      this.#keep(number, page);
      this.onChange();
    } catch (error) {
      this.#asked.delete(number);
      this.#report(error);
    }
  }

  #keep(number: number, page: readonly Memory[]): void {
    this.#pages.set(number, [...page]);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > KEPT && oldest !== undefined) {
      this.#pages.delete(oldest);
      this.#asked.delete(oldest);
    }
    if (number > 0) return;
    this.total = Math.max(this.total, page.length);
    const last = page.at(-1);
    if (page.length === PAGE && last !== undefined) this.#anchors[0] ??= last.id;
  }

  #report(error: unknown): void {
    if (!isExpected(error)) this.onProblem(error);
  }
}
