/** Stores very many lists of numbers, most of them short, in few blocks of memory. A list is a chain of chunks that get longer. */
import { withRoomFor } from './with-room-for.ts';

/** Chunks have 4 places, then 8, and so on up to 1,024; the first place holds the address of the next chunk. */
const LEAST_PLACES = 4;
const TOP_LEVEL = 8;
const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;
/** Marks the end of a chain: no chunk begins at this address. */
const NOWHERE = 0;

const placesAt = (level: number): number => LEAST_PLACES << level;

/** Part of a list: the numbers of `page` from `from` to before `to`. */
export type Visit = (page: Uint32Array, from: number, to: number) => void;

export class PostingLists {
  readonly #pages: Uint32Array[] = [];
  #end = NOWHERE + 1;
  /** Chunks that are not in use, by level. */
  readonly #freeChunks: number[][] = Array.from({ length: TOP_LEVEL + 1 }, () => []);
  readonly #freeLists: number[] = [];
  #lists = 0;
  #heads = new Uint32Array(256);
  #tails = new Uint32Array(256);
  #counts = new Uint32Array(256);
  /** Of the last chunk of each list: its size class, and how many numbers it holds. */
  #levels = new Uint8Array(256);
  #fills = new Uint16Array(256);

  create(): number {
    const list = this.#freeLists.pop() ?? this.#lists++;
    this.#heads = withRoomFor(this.#heads, list);
    this.#tails = withRoomFor(this.#tails, list);
    this.#counts = withRoomFor(this.#counts, list);
    this.#levels = withRoomFor(this.#levels, list);
    this.#fills = withRoomFor(this.#fills, list);
    this.#heads[list] = this.#tails[list] = this.#chunk(0);
    this.#counts[list] = this.#levels[list] = this.#fills[list] = 0;
    return list;
  }

  countOf(list: number): number {
    return this.#counts[list]!;
  }

  push(list: number, value: number): void {
    let level = this.#levels[list]!;
    let fill = this.#fills[list]!;
    if (fill === placesAt(level) - 1) {
      level = Math.min(level + 1, TOP_LEVEL);
      const chunk = this.#chunk(level);
      this.#setNext(this.#tails[list]!, chunk);
      this.#tails[list] = chunk;
      this.#levels[list] = level;
      fill = 0;
    }
    const tail = this.#tails[list]!;
    this.#pages[tail >>> PAGE_BITS]![(tail & (PAGE - 1)) + 1 + fill] = value;
    this.#fills[list] = fill + 1;
    this.#counts[list]!++;
  }

  /** Visits all numbers of a list, chunk by chunk, in no particular order. */
  visit(list: number, visit: Visit): void {
    let level = 0;
    for (let chunk = this.#heads[list]!; chunk !== NOWHERE; level = Math.min(level + 1, TOP_LEVEL)) {
      const page = this.#pages[chunk >>> PAGE_BITS]!;
      const start = (chunk & (PAGE - 1)) + 1;
      const next = page[start - 1]!;
      visit(page, start, start + (next === NOWHERE ? this.#fills[list]! : placesAt(level) - 1));
      chunk = next;
    }
  }

  /** Removes in place what `isKept` refuses. False when nothing is left; the list itself is then freed. */
  sweep(list: number, isKept: (value: number) => boolean): boolean {
    let [chunk, level, fill, count] = [this.#heads[list]!, 0, 0, 0];
    this.visit(list, (page, from, to) => {
      for (let i = from; i < to; i++) {
        const value = page[i]!;
        if (!isKept(value)) continue;
        if (fill === placesAt(level) - 1) {
          chunk = this.#nextOf(chunk);
          level = Math.min(level + 1, TOP_LEVEL);
          fill = 0;
        }
        this.#pages[chunk >>> PAGE_BITS]![(chunk & (PAGE - 1)) + 1 + fill] = value;
        fill++;
        count++;
      }
    });
    this.#freeChain(this.#nextOf(chunk), level + 1);
    this.#setNext(chunk, NOWHERE);
    const start = (chunk & (PAGE - 1)) + 1;
    // Overwritten, because the numbers would still show which words occurred together in a forgotten record.
    this.#pages[chunk >>> PAGE_BITS]!.fill(0, start + fill, start + placesAt(level) - 1);
    this.#tails[list] = chunk;
    this.#levels[list] = level;
    this.#fills[list] = fill;
    this.#counts[list] = count;
    if (count > 0) return true;
    this.#freeChain(chunk, level);
    this.#freeLists.push(list);
    return false;
  }

  #chunk(level: number): number {
    const places = placesAt(level);
    let chunk = this.#freeChunks[level]!.pop();
    if (chunk === undefined) {
      if (this.#pages.length === 0) this.#pages.push(new Uint32Array(PAGE));
      if ((this.#end & (PAGE - 1)) + places > PAGE || this.#end === this.#pages.length * PAGE) {
        this.#end = this.#pages.length * PAGE;
        this.#pages.push(new Uint32Array(PAGE));
      }
      chunk = this.#end;
      this.#end += places;
    }
    this.#setNext(chunk, NOWHERE);
    return chunk;
  }

  #nextOf(chunk: number): number {
    return this.#pages[chunk >>> PAGE_BITS]![chunk & (PAGE - 1)]!;
  }

  #setNext(chunk: number, next: number): void {
    this.#pages[chunk >>> PAGE_BITS]![chunk & (PAGE - 1)] = next;
  }

  #freeChain(first: number, firstLevel: number): void {
    let level = Math.min(firstLevel, TOP_LEVEL);
    for (let chunk = first; chunk !== NOWHERE; level = Math.min(level + 1, TOP_LEVEL)) {
      const start = chunk & (PAGE - 1);
      const next = this.#nextOf(chunk);
      this.#pages[chunk >>> PAGE_BITS]!.fill(0, start, start + placesAt(level));
      this.#freeChunks[level]!.push(chunk);
      chunk = next;
    }
  }
}
