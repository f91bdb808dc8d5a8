/** The names and numbers in a question that say whom or which one is meant. */
import { analyze, hasLargeNouns } from '../../kernel/analysis.ts';
import { once } from '../../kernel/once.ts';
import { MAX_QUERY, NAME } from './text-evidence.ts';

/** Days and months have capital letters, but who asks about Friday may well be told about Tuesday. */
const calendar = once(
  () =>
    new Set(
      analyze(
        'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december',
      ),
    ),
);

export const isOfCalendar = (term: string): boolean => calendar().has(term);

/** "PR", "CI", "EU": a memory may well spell it out. */
const ABBREVIATION = /^\p{Lu}{2,4}$/u;
/** A name from source code, which needs no capital letter in front. */
const CODE_NAME = /(?<![\p{L}\p{N}])\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu;
/** "@ferreira" is somebody. */
const HANDLE = /(?<=(?<![\p{L}\p{N}.])@)[\p{L}\p{N}_-]{2,40}/gu;

/** Everybody may be a doctor: what follows is the name, in German too, where every noun has a capital letter. */
const TITLES =
  'Mr Mrs Ms Miss Dr Prof Professor Herr Frau Sir Madam Señor Señora Don Doña Monsieur Madame Mme';
const titleTerms = once(() => new Set(analyze(TITLES)));
const AFTER_TITLE = new RegExp(
  String.raw`(?<=(?<![\p{L}\p{N}])(?:${TITLES.replaceAll(' ', '|')})\.?\s{1,3})\p{Lu}[\p{L}\p{N}]+`,
  'gu',
);

/** Whose it is: "Tom's birthday", also where it begins the question. Contractions ("what's") belong to nobody. */
const POSSESSOR =
  /(?<![\p{L}\p{N}])(?!(?:what|who|where|when|how|that|there|here|it|he|she|let|today|tomorrow|yesterday|one|everyone|somebody|someone|anybody|anyone|company|team|user)['’])\p{L}{2,40}(?=['’]s(?![\p{L}\p{N}]))/giu;

/** Names that an answer must be about: those in a sentence, owners, those behind a title, and those of functions and the like. */
export function identifyingNames(query: string): string[] {
  const text = query.slice(0, MAX_QUERY);
  const always = [AFTER_TITLE, HANDLE, CODE_NAME];
  const kinds = hasLargeNouns(text) ? always : [NAME, POSSESSOR, ...always];
  const names = kinds.flatMap((kind) => text.match(kind) ?? []);
  const terms = names.filter((name) => !ABBREVIATION.test(name)).flatMap(analyze);
  return [...new Set(terms.filter((term) => !titleTerms().has(term)))];
}

const WORD = /[\p{L}\p{N}]+/gu;
const DIGIT = /^\p{N}/u;
/** "Is anyone there?" and "zero" count nothing. */
const SPELLED = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBERS = new Map(SPELLED.map((word, place) => [word, String(place + 2)]));
/** More of a text is not looked through. */
const MOST_CHARACTERS = 2_000;

/** Numbers in digits, whether they were written so or as words. */
export function numbersIn(text: string): ReadonlySet<string> {
  const words = text.slice(0, MOST_CHARACTERS).toLowerCase().match(WORD) ?? [];
  return new Set(words.flatMap((word) => (DIGIT.test(word) ? [word] : (NUMBERS.get(word) ?? []))));
}

/** The numbers that are written as words, by the terms that these become. */
export const spelledNumbers = once(
  (): ReadonlyMap<string, string> =>
    new Map([...NUMBERS].flatMap(([word, digits]) => analyze(word).map((term) => [term, digits] as const))),
);
