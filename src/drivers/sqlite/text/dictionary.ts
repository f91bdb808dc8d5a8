/** Words and their numbers, and how many records hold each. A word that no record holds any more is let go of. */
import { withRoomFor } from './growth.ts';

/** V8 keeps a longer piece of a text by pointing into it, which would keep all of the text. */
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

  /** The number of a word that one more record holds. */
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

  /** One record less holds it. */
  give(number: number): void {
    if (--this.#records[number]! > 0) return;
    this.#numbers.delete(this.#words[number]!);
    this.#words[number] = undefined;
    this.#free.push(number);
  }
}
