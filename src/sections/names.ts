/** Names of sections: validation, display, and the error for an unknown name. */
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';

const MAX_NAME_CHARACTERS = 128;
const MOST_NAMES_IN_A_MESSAGE = 50;

/** Breaks the line, cannot be seen, or makes the rest of the line read in another order than it is written. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
/** Shown as they are: names that no Markdown reads as anything but words. */
const PLAIN = /^[\p{L}\p{N}\p{So}_][\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
const MARKUP = /[`~<>&*[\]\\"|^]|^\d+[.)]/;
/** Inside of quotes, only what could end the quotation, open a tag or a code span, or hide. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}<>&`]/gu;

function problemWith(name: string): string | undefined {
  if (HIDDEN.test(name)) return 'it must be one line without control characters';
  const trimmed = name.trim();
  if (trimmed === '') return name === '' ? 'it is empty' : 'it consists of blanks only';
  if ([...trimmed].length > MAX_NAME_CHARACTERS) return `it is longer than ${MAX_NAME_CHARACTERS} characters`;
  if (!name.isWellFormed()) return 'it contains half of a character';
  return undefined;
}

/** Returns the name without blanks around it, or throws INVALID_NAME with the reason. */
export function checkSectionName(name: string): string {
  const problem = problemWith(name);
  if (problem === undefined) return name.trim();
  throw new KeepsakeError('INVALID_NAME', `${quoted(name)} cannot be the name of a section: ${problem}.`, {
    hint: `Choose one line of 1–${MAX_NAME_CHARACTERS} characters that says what it is about, for example "user_preferences".`,
  });
}

/**
 * A name as it may stand in a prompt. One that could be read as markup is written as a JSON string, which a model that
 * copies it into the JSON of a tool call turns back into the name itself.
 */
export function shownName(name: string): string {
  const isPlain = PLAIN.test(name) && !MARKUP.test(name) && [...name].length <= MAX_NAME_CHARACTERS;
  return isPlain ? name : quoted(name);
}

function quoted(name: string): string {
  const characters = [...name];
  const shown =
    characters.length > MAX_NAME_CHARACTERS ? `${characters.slice(0, MAX_NAME_CHARACTERS).join('')}…` : name;
  return JSON.stringify(shown).replaceAll(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, i) => unicodeEscape(character.charCodeAt(i))).join(''),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Names what exists; of very many, those that are most like the one that was asked for. */
export function sectionNotFound(name: string, available: readonly string[]): KeepsakeError {
  const byLikeness = mostAlike(name, available);
  const nearest =
    byLikeness[0] !== undefined && byLikeness[0].likeness > 0.5 ? byLikeness[0].name : undefined;
  const more = available.length - MOST_NAMES_IN_A_MESSAGE;
  const listed =
    more > 0 ? byLikeness.slice(0, MOST_NAMES_IN_A_MESSAGE).map((entry) => entry.name) : available;
  const rest = more > 0 ? ` and ${more} more` : '';
  const what =
    available.length === 0
      ? 'No section has been saved yet.'
      : `Available sections: ${listed.map(shownName).join(', ')}${rest}.`;
  return new KeepsakeError('NOT_FOUND', `There is no section ${quoted(name)}. ${what}`, {
    hint:
      nearest === undefined
        ? 'A section is created when something is saved into it.'
        : `Did you mean ${quoted(nearest)}? Names are compared exactly.`,
    details: { section: name, available, ...defined({ nearest }) },
  });
}

/** By the part of their letters and pairs of letters that they share with the wrong one, best first. */
function mostAlike(wrong: string, names: readonly string[]): { name: string; likeness: number }[] {
  const wanted = fold(wrong);
  return names
    .map((name) => ({ name, likeness: likenessOf(wanted, fold(name)) }))
    .sort((a, b) => b.likeness - a.likeness);
}

/** Case, width and the way of writing spaces are what people get wrong first. */
function fold(name: string): string {
  return name
    .slice(0, 2 * MAX_NAME_CHARACTERS)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
}

function likenessOf(a: string, b: string): number {
  if (a === b) return 1;
  return (shared(lettersOf(a), lettersOf(b)) + shared(pairsOf(a), pairsOf(b))) / 2;
}

function shared(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const item of a) left.set(item, (left.get(item) ?? 0) + 1);
  let common = 0;
  for (const item of b) {
    const count = left.get(item) ?? 0;
    if (count > 0) common++;
    left.set(item, count - 1);
  }
  return (2 * common) / (a.length + b.length || 1);
}

function lettersOf(name: string): string[] {
  return [...name];
}

function pairsOf(name: string): string[] {
  const letters = [...name];
  return letters.slice(1).map((letter, i) => letters[i]! + letter);
}
