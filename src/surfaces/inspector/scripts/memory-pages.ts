/** Browser script: the memories of a list by their number, read page by page from wherever one looks. */
export const MEMORY_PAGES_JS = `
import { call } from './api.js';

const PAGE = 100;
/** Pages that are kept; those looked at longest ago give way. */
const KEPT = 30;

/** One reading of a list: it stays as it was counted, while pages are read when they are needed. */
export class MemoryPages {
  #filters;
  #pages = new Map();
  #anchors = [];
  #asked = new Set();
  #gone = new AbortController();
  total = 0;
  /** False until the whole list was counted. */
  isCounted = false;
  /** Resolves when it was. */
  counted = Promise.resolve();
  /** Called when rows or their number have come. */
  onChange = () => {};
  onProblem = () => {};

  constructor(filters) {
    this.#filters = filters;
  }

  /** The first page at once, the number of all as soon as it is known. */
  async open() {
    await this.#read(0);
    if (this.#pages.get(0)?.length === PAGE) this.counted = this.#count();
    else this.isCounted = true;
  }

  async #count() {
    const { agent, ...filters } = this.#filters;
    const query = agent === '' ? {} : { agent };
    const body = { every: PAGE, ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) };
    try {
      const outline = await call('POST /v1/memory/outline', { query, body, signal: this.#gone.signal });
      this.#anchors = outline.anchors;
      this.total = Math.max(this.total, outline.total);
      this.isCounted = true;
      this.onChange();
    } catch (error) {
      if (error.name !== 'AbortError') this.onProblem(error);
    }
  }

  async #read(number) {
    const after = number === 0 ? undefined : this.#anchors[number - 1];
    if (this.#asked.has(number) || (number > 0 && after === undefined)) return;
    this.#asked.add(number);
    try {
      const page = await call('GET /v1/memory', { query: { ...this.#filters, limit: PAGE, after }, signal: this.#gone.signal });
      this.#pages.set(number, page);
      if (this.#pages.size > KEPT) {
        const [oldest] = this.#pages.keys();
        this.#pages.delete(oldest);
        this.#asked.delete(oldest);
      }
      if (number === 0) {
        this.total = Math.max(this.total, page.length);
        if (page.length === PAGE) this.#anchors[0] ??= page.at(-1).id;
      }
      this.onChange();
    } catch (error) {
      this.#asked.delete(number);
      if (error.name !== 'AbortError') this.onProblem(error);
    }
  }

  at(i) {
    return this.#pages.get(Math.floor(i / PAGE))?.[i % PAGE];
  }

  find(id) {
    for (const page of this.#pages.values()) {
      const memory = page.find((each) => each.id === id);
      if (memory !== undefined) return memory;
    }
    return undefined;
  }

  /** Reads what is not there yet. */
  want(first, last) {
    for (let number = Math.floor(first / PAGE); number <= Math.floor(last / PAGE); number++) {
      if (this.#pages.has(number)) {
        // To the end of those that may go.
        const page = this.#pages.get(number);
        this.#pages.delete(number);
        this.#pages.set(number, page);
      } else this.#read(number);
    }
  }

  replace(memory) {
    for (const page of this.#pages.values()) {
      const i = page.findIndex(({ id }) => id === memory.id);
      if (i >= 0) page[i] = { ...page[i], ...memory };
    }
  }

  close() {
    this.#gone.abort();
    this.onChange = () => {};
    this.onProblem = () => {};
  }
}
`;
