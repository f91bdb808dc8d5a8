/** Finds all phrases in one pass over the words: time grows with the text and with nothing else. */
import { foldDigits } from './confusables.ts';
import { fold } from './normalise.ts';
import type { Phrase } from './pattern.ts';
import { eachToken } from './tokens.ts';

/** Farther than any gap: what stands in two sentences is never one phrase. */
const SENTENCE = 1_000;
const LONGEST_WORD = 24;
const SHORTEST_STEM = 2;
const HAS_DIGIT = /[0-9@$]/;
const HAS_LETTER = /\p{L}/u;
/** Cut by known words where there are no spaces; shorter ones would be found inside everything. */
const SHORTEST_SEGMENT = 3;

interface Stage {
  readonly phrase: number;
  readonly stage: number;
  /** How far the stage before may lie back. */
  readonly reach: number;
}

interface Compiled {
  readonly words: ReadonlyMap<string, readonly number[]>;
  readonly stems: ReadonlyMap<string, readonly number[]>;
  /** By concept, late stages first, so that one word never fills two. */
  readonly stages: readonly (readonly Stage[])[];
  readonly lengths: readonly number[];
  readonly negation: number;
}

export type Lexicon = Readonly<Record<string, string>>;

export class PhraseMatcher {
  readonly #phrases: readonly Phrase[];
  readonly #lexicon: Lexicon;
  #compiled: Compiled | undefined;

  constructor(phrases: readonly Phrase[], lexicon: Lexicon) {
    this.#phrases = phrases;
    this.#lexicon = lexicon;
  }

  /** Every phrase that occurs, each once. The text has been normalised. */
  find(text: string): Phrase[] {
    this.#compiled ??= compile(this.#phrases, this.#lexicon);
    const { lengths } = this.#compiled;
    const search = new Search(this.#compiled, this.#phrases);
    eachToken(
      text,
      (word) => search.word(word),
      (run) => search.run(run),
      () => search.pause(),
    );
    return this.#phrases.filter((_, i) => search.found[i] === lengths[i]);
  }

  /** For letters that were written apart: cut by known words only. */
  findInRun(run: string): Phrase[] {
    this.#compiled ??= compile(this.#phrases, this.#lexicon);
    const search = new Search(this.#compiled, this.#phrases);
    search.run(run);
    return this.#phrases.filter((_, i) => search.found[i] === this.#compiled!.lengths[i]);
  }
}

class Search {
  readonly #compiled: Compiled;
  readonly #phrases: readonly Phrase[];
  /** Where the beginning of each phrase, up to each stage, was last seen. */
  readonly #seen: Float64Array;
  readonly #offsets: readonly number[];
  readonly found: Uint8Array;
  #position = 0;
  #negatedUntil = -1;

  constructor(compiled: Compiled, phrases: readonly Phrase[]) {
    this.#compiled = compiled;
    this.#phrases = phrases;
    let total = 0;
    this.#offsets = compiled.lengths.map((length) => (total += length) - length);
    this.#seen = new Float64Array(total).fill(-SENTENCE);
    this.found = new Uint8Array(phrases.length);
  }

  pause(): void {
    this.#position += SENTENCE;
  }

  word(word: string): void {
    this.#position++;
    if (word.length > LONGEST_WORD) return;
    if (this.#look(word)) return;
    if (HAS_DIGIT.test(word) && HAS_LETTER.test(word)) this.#look(foldDigits(word));
  }

  run(run: string): void {
    const { words } = this.#compiled;
    for (let i = 0; i < run.length; ) {
      let length = Math.min(LONGEST_WORD, run.length - i);
      while (length > 0 && !words.has(run.slice(i, i + length))) length--;
      this.#position++;
      if (length > 0 && (length >= SHORTEST_SEGMENT || run.charCodeAt(i) > 0x7f)) {
        this.#take(words.get(run.slice(i, i + length))!);
      }
      i += Math.max(1, length);
    }
  }

  #look(word: string): boolean {
    const { words, stems } = this.#compiled;
    const exact = words.get(word);
    if (exact !== undefined) this.#take(exact);
    let known = exact !== undefined;
    for (let length = Math.min(word.length, LONGEST_WORD); length >= SHORTEST_STEM; length--) {
      const concepts = stems.get(word.slice(0, length));
      if (concepts === undefined) continue;
      this.#take(concepts);
      known = true;
    }
    return known;
  }

  #take(concepts: readonly number[]): void {
    const { stages, negation, lengths } = this.#compiled;
    const position = this.#position;
    for (const concept of concepts) {
      if (concept === negation) this.#negatedUntil = position + 3;
      for (const { phrase, stage, reach } of stages[concept]!) {
        const at = this.#offsets[phrase]! + stage;
        if (stage === 0) {
          if (this.#phrases[phrase]!.unlessNegated && position <= this.#negatedUntil) continue;
        } else {
          const distance = position - this.#seen[at - 1]!;
          if (distance < 1 || distance > reach) continue;
        }
        this.#seen[at] = position;
        if (stage === lengths[phrase]! - 1) this.found[phrase] = lengths[phrase]!;
      }
    }
  }
}

function compile(phrases: readonly Phrase[], lexicon: Lexicon): Compiled {
  const words = new Map<string, number[]>();
  const stems = new Map<string, number[]>();
  const concepts = new Map<string, number>();
  const stages: Stage[][] = [];
  const conceptOf = (name: string): number => {
    const known = concepts.get(name);
    if (known !== undefined) return known;
    const id = stages.length;
    stages.push([]);
    concepts.set(name, id);
    for (const entry of (lexicon[name] ?? name.replaceAll('|', ' ')).split(/\s+/)) {
      if (entry === '') continue;
      const isStem = entry.endsWith('*');
      const key = fold(isStem ? entry.slice(0, -1) : entry);
      const table = isStem ? stems : words;
      const list = table.get(key) ?? [];
      if (!list.includes(id)) list.push(id);
      table.set(key, list);
    }
    return id;
  };
  const lengths = phrases.map(({ phrase }, index) => {
    let stage = 0;
    let reach = 1;
    for (const part of phrase.split(' ')) {
      if (/^\d+$/.test(part)) {
        reach = Number(part) + 1;
        continue;
      }
      stages[conceptOf(part)]!.push({ phrase: index, stage, reach });
      stage++;
      reach = 1;
    }
    return stage;
  });
  const negation = conceptOf('NEGATION');
  for (const list of stages) list.sort((a, b) => b.stage - a.stage);
  return { words, stems, stages, lengths, negation };
}
