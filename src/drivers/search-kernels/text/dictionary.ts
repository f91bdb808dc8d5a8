/** Numbers the words, and counts how many records contain each. A word that no record contains any more is removed. */
import { withRoomFor } from './with-room-for.ts';

/** V8 represents a longer substring as a pointer into the whole text, which would keep that text in memory. */
const LONGEST_COPIED = 12;

export class Dictionary {
  readonly #numbers = new Map<string, number>();
  readonly #words: (string | undefined)[] = [];
  readonly #free: number[] = [];
  #records = new Uint32Array(1_024);

  /** One more than the highest number in use. */
  get size(): number {
    return this.#words.length;
  }

  find(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  recordsWith(word: string): number {
    const number = this.#numbers.get(word);
    return number === undefined ? 0 : this.#records[number]!;
  }

  /** The number of a word, which one more record contains from now on. */
  take(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.#free.pop() ?? this.#words.length;
      const own = word.length > LONGEST_COPIED ? Buffer.from(word).toString() : word;
      this.#numbers.set(own, number);
      this.#words[number] = own;
      this.#records = withRoomFor(this.#records, number);
    }
    this.#records[number]!++;
    return number;
  }

  /** One record less contains the word. */
  give(number: number): void {
    if (--this.#records[number]! > 0) return;
    this.#numbers.delete(this.#words[number]!);
    this.#words[number] = undefined;
    this.#free.push(number);
  }
}
