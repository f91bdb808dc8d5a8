/** Finds all phrases in one pass, in time linear in the length of the text. */
import { foldDigits } from './confusables.ts';
import { fold } from './normalise.ts';
import type { Phrase } from './pattern.ts';
import { eachToken } from './tokens.ts';

/** Farther than any gap: what stands in two sentences is never one phrase. */
const SENTENCE = 1_000;
const LONGEST_WORD = 24;
/** A negation reaches this many words forward. */
const NEGATION_REACH = 3;
const NEGATION = 'NEGATION';
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

/** A part of phrases, such as `ignore|forget`: any word of either list. */
interface Concept {
  readonly stages: Stage[];
  readonly negates: boolean;
}

/** What a word means to the patterns. */
class Meaning {
  negates = false;
  readonly #concepts: (readonly Concept[])[] = [];
  #stages: readonly Stage[] | undefined;

  add(concepts: readonly Concept[], negates: boolean): void {
    this.#concepts.push(concepts);
    this.negates ||= negates;
  }

  /** Late ones first, so that one word never fills two. Put in order when the word is met: few of them ever are. */
  get stages(): readonly Stage[] {
    this.#stages ??= [...new Set(this.#concepts.flat())]
      .flatMap(({ stages }) => stages)
      .sort((x, y) => y.stage - x.stage);
    return this.#stages;
  }
}

/** What begins with the same two letters; most words of a text begin like none of ours. */
interface Beginning {
  hasWords: boolean;
  /** How long its stems are, the longest first. */
  readonly stemLengths: number[];
}

interface Compiled {
  readonly words: ReadonlyMap<string, Meaning>;
  readonly stems: ReadonlyMap<string, Meaning>;
  readonly beginnings: ReadonlyMap<number, Beginning>;
  /** By first character: how long the words are that begin with it, the longest first. */
  readonly lengthsByFirst: ReadonlyMap<number, readonly number[]>;
  /** By phrase: how many stages it has, and where they begin in one row of all stages. */
  readonly lengths: readonly number[];
  readonly offsets: readonly number[];
  readonly total: number;
}

const NONE: readonly Meaning[] = [];

const beginningOf = (word: string): number =>
  word.charCodeAt(0) * 0x10000 + (word.length > 1 ? word.charCodeAt(1) : 0);

export type Lexicon = Readonly<Record<string, string>>;

export class PhraseMatcher {
  readonly #phrases: readonly Phrase[];
  readonly #lexicon: Lexicon;
  #search: Search | undefined;

  constructor(phrases: readonly Phrase[], lexicon: Lexicon) {
    this.#phrases = phrases;
    this.#lexicon = lexicon;
  }

  /** Every phrase that occurs, each once. The text has been normalised. */
  find(text: string): Phrase[] {
    const search = this.#begin();
    eachToken(
      text,
      (word) => search.word(word),
      (run) => search.run(run),
      () => search.pause(),
    );
    return this.#found(search);
  }

  /** For letters that were written apart: cut by known words only. */
  findInRun(run: string): Phrase[] {
    const search = this.#begin();
    search.run(run);
    return this.#found(search);
  }

  /** One after the other, so they share what they note down. */
  #begin(): Search {
    this.#search ??= new Search(compile(this.#phrases, this.#lexicon), this.#phrases);
    this.#search.begin();
    return this.#search;
  }

  #found({ found }: Search): Phrase[] {
    return found.size === 0 ? [] : this.#phrases.filter((_, i) => found.has(i));
  }
}

class Search {
  readonly #compiled: Compiled;
  readonly #phrases: readonly Phrase[];
  /** Where the beginning of each phrase, up to each stage, was last seen. */
  readonly #seen: Float64Array;
  readonly found = new Set<number>();
  #position = 0;
  #negatedUntil = -1;

  constructor(compiled: Compiled, phrases: readonly Phrase[]) {
    this.#compiled = compiled;
    this.#phrases = phrases;
    this.#seen = new Float64Array(compiled.total).fill(-SENTENCE);
  }

  /** What was seen in the text before is too far back to count. */
  begin(): void {
    this.pause();
    this.found.clear();
  }

  pause(): void {
    this.#position += SENTENCE;
  }

  word(word: string): void {
    this.#position++;
    if (word.length > LONGEST_WORD) return;
    for (const meaning of this.#meanings(word)) this.#take(meaning);
  }

  run(run: string): void {
    for (let i = 0; i < run.length; ) {
      const found = this.#longestAt(run, i);
      this.#position++;
      const length = found?.length ?? 0;
      if (found !== undefined && (length >= SHORTEST_SEGMENT || run.charCodeAt(i) > 0x7f)) {
        this.#take(found.meaning);
      }
      i += Math.max(1, length);
    }
  }

  /** The longest known word that begins here. */
  #longestAt(run: string, at: number): { readonly length: number; readonly meaning: Meaning } | undefined {
    const { words, lengthsByFirst } = this.#compiled;
    for (const length of lengthsByFirst.get(run.charCodeAt(at)) ?? []) {
      if (at + length > run.length) continue;
      const meaning = words.get(run.slice(at, at + length));
      if (meaning !== undefined) return { length, meaning };
    }
    return undefined;
  }

  #meanings(word: string): readonly Meaning[] {
    const asWritten = this.#lookUp(word);
    const isDisguised = asWritten.length === 0 && HAS_DIGIT.test(word) && HAS_LETTER.test(word);
    return isDisguised ? this.#lookUp(foldDigits(word)) : asWritten;
  }

  #lookUp(word: string): readonly Meaning[] {
    const { words, stems, beginnings } = this.#compiled;
    const beginning = beginnings.get(beginningOf(word));
    if (beginning === undefined) return NONE;
    const found: Meaning[] = [];
    const exact = beginning.hasWords ? words.get(word) : undefined;
    if (exact !== undefined) found.push(exact);
    for (const length of beginning.stemLengths) {
      if (length > word.length) continue;
      const meaning = stems.get(word.slice(0, length));
      if (meaning !== undefined) found.push(meaning);
    }
    return found.length === 0 ? NONE : found;
  }

  #take({ stages, negates }: Meaning): void {
    const { lengths, offsets } = this.#compiled;
    const position = this.#position;
    if (negates) this.#negatedUntil = position + NEGATION_REACH;
    for (const { phrase, stage, reach } of stages) {
      const at = offsets[phrase]! + stage;
      if (stage === 0) {
        if (this.#phrases[phrase]!.unlessNegated && position <= this.#negatedUntil) continue;
      } else {
        const distance = position - this.#seen[at - 1]!;
        if (distance < 1 || distance > reach) continue;
      }
      this.#seen[at] = position;
      if (stage === lengths[phrase]! - 1) this.found.add(phrase);
    }
  }
}

function compile(phrases: readonly Phrase[], lexicon: Lexicon): Compiled {
  const concepts = new Map<string, Concept>([[NEGATION, { stages: [], negates: true }]]);
  let total = 0;
  const offsets: number[] = [];
  const lengths = phrases.map(({ phrase }, index) => {
    let stage = 0;
    let reach = 1;
    for (const part of phrase.split(' ')) {
      if (/^\d+$/.test(part)) {
        reach = Number(part) + 1;
        continue;
      }
      const concept = concepts.get(part) ?? { stages: [], negates: false };
      concept.stages.push({ phrase: index, stage: stage++, reach });
      concepts.set(part, concept);
      reach = 1;
    }
    offsets.push(total);
    total += stage;
    return stage;
  });
  const { words, stems } = meaningsOf(concepts, lexicon);
  const beginnings = beginningsOf(words.keys(), stems.keys());
  return { words, stems, beginnings, lengthsByFirst: lengthsByFirst(words.keys()), lengths, offsets, total };
}

/** Each list of words is read once, however many concepts name it. */
function meaningsOf(
  concepts: ReadonlyMap<string, Concept>,
  lexicon: Lexicon,
): Pick<Compiled, 'words' | 'stems'> {
  const byList = new Map<string, Concept[]>();
  for (const [name, concept] of concepts) {
    for (const list of name.split('|')) {
      const known = byList.get(list);
      if (known === undefined) byList.set(list, [concept]);
      else known.push(concept);
    }
  }
  const [words, stems] = [new Map<string, Meaning>(), new Map<string, Meaning>()];
  for (const [list, itsConcepts] of byList) {
    const negates = itsConcepts.some((concept) => concept.negates);
    for (const entry of (lexicon[list] ?? list).split(/\s+/)) {
      if (entry === '') continue;
      const table = entry.endsWith('*') ? stems : words;
      const key = fold(entry.replace('*', ''));
      const meaning = table.get(key) ?? new Meaning();
      meaning.add(itsConcepts, negates);
      table.set(key, meaning);
    }
  }
  return { words, stems };
}

function lengthsByFirst(words: Iterable<string>): Map<number, readonly number[]> {
  const lengths = Map.groupBy(
    [...words].filter(({ length }) => length <= LONGEST_WORD),
    (word) => word.charCodeAt(0),
  );
  return new Map(
    [...lengths].map(([first, same]) => [
      first,
      [...new Set(same.map(({ length }) => length))].sort((a, b) => b - a),
    ]),
  );
}

function beginningsOf(words: Iterable<string>, stems: Iterable<string>): Map<number, Beginning> {
  const beginnings = new Map<number, Beginning>();
  const at = (word: string): Beginning => {
    const key = beginningOf(word);
    const known = beginnings.get(key) ?? { hasWords: false, stemLengths: [] };
    beginnings.set(key, known);
    return known;
  };
  for (const word of words) at(word).hasWords = true;
  for (const stem of stems) {
    const { stemLengths } = at(stem);
    if (stem.length >= SHORTEST_STEM && !stemLengths.includes(stem.length)) stemLengths.push(stem.length);
  }
  for (const { stemLengths } of beginnings.values()) stemLengths.sort((a, b) => b - a);
  return beginnings;
}
