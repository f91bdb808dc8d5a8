/** Looks up the concepts of words in any language, by the hash of a word or prefix. */
import { fold } from '../normalise.ts';
import { LEXICON } from '../patterns/index.ts';
import { MEANINGS } from './meanings.ts';

type Hash = (text: string, start: number, end: number) => number;

const FILTER_BITS = 17;

/** Looks up hashes; most words are none of ours, and a bit says so. */
export class Concepts {
  readonly #words = new Map<number, number[]>();
  readonly #stems = new Map<number, number[]>();
  readonly #filter = new Uint8Array(1 << FILTER_BITS);

  constructor(hash: Hash) {
    for (const [id, list] of [...Object.values(LEXICON), ...Object.values(MEANINGS)].entries()) {
      for (const entry of list.split(/\s+/)) {
        if (entry === '') continue;
        const table = entry.endsWith('*') ? this.#stems : this.#words;
        const word = fold(entry.replace('*', ''));
        const key = hash(word, 0, word.length);
        const known = table.get(key);
        if (known === undefined) table.set(key, [id]);
        else if (!known.includes(id)) known.push(id);
        this.#filter[key & (this.#filter.length - 1)]! |= entry.endsWith('*') ? 2 : 1;
      }
    }
  }

  ofWord(hash: number): readonly number[] | undefined {
    return (this.#filter[hash & (this.#filter.length - 1)]! & 1) === 0 ? undefined : this.#words.get(hash);
  }

  ofBeginning(hash: number): readonly number[] | undefined {
    return (this.#filter[hash & (this.#filter.length - 1)]! & 2) === 0 ? undefined : this.#stems.get(hash);
  }
}
