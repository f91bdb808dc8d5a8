/** Whom or what a question is about, and whether a memory is about the same one: Tom's birthday is not answered by Maria's. */
import { identifyingNames, isOfCalendar, numbersIn, spelledNumbers } from './identifying-names.ts';
import type { Judged } from './judgement.ts';

/** In a longer question names have capital letters, or nobody could read it. */
const FEW_TERMS = 5;
/** More hits do not say more about how a word is written. */
const LOOKED_AT = 10;

const holds = ({ candidate: { held } }: Judged, place: number): boolean =>
  held.counts[held.start + place]! > 0;

/** What a memory lacks of the names that the question is about. */
export interface LackedNames {
  /** Whether it lacks one of them… */
  readonly any: boolean;
  /** …or each of them. */
  readonly all: boolean;
  /** The share of them that no visible record holds. */
  readonly unknown: number;
}

const NONE: LackedNames = { any: false, all: false, unknown: 0 };

export function lackedNames(hit: Judged, names: readonly number[]): LackedNames {
  if (names.length === 0) return NONE;
  const lacked = names.filter((place) => !holds(hit, place));
  const unknown = names.filter((place) => !hit.asked.isKnown[place]);
  return {
    any: lacked.length > 0,
    all: lacked.length === names.length,
    unknown: unknown.length / names.length,
  };
}

/** Where the numbers stand in the question, also those that are written as words. */
export function numbersMeant({ asked: { terms, identifying } }: Judged): readonly number[] {
  const spelled = terms.flatMap((term, place) => (spelledNumbers().has(term) ? [place] : []));
  return [...identifying.numbers, ...spelled];
}

export function lacksNumber(hit: Judged, places: readonly number[]): boolean {
  const lacked = places.filter((place) => !holds(hit, place));
  if (lacked.length === 0) return false;
  const said = numbersIn(hit.record.content);
  return lacked.some((place) => {
    const term = hit.asked.terms[place]!;
    return !said.has(spelledNumbers().get(term) ?? term);
  });
}

/** Whether it holds a whole part of a question that asks for several things; the other parts are answered by others. */
export function answersAPart(hit: Judged): boolean {
  return hit.asked.parts.some((part) => part.every((place) => holds(hit, place)));
}

/** Where the names stand: as the question writes them or, when it has no capital letters, as the hits write them. */
export function namesMeant(hits: readonly Judged[]): readonly number[] {
  const asked = hits[0]?.asked;
  if (asked === undefined) return [];
  const { identifying, terms, isWithoutCapitals } = asked;
  const isName = (place: number): boolean => !isOfCalendar(terms[place]!);
  const named = identifying.names.filter(isName);
  if (named.length > 0 || !isWithoutCapitals || terms.length > FEW_TERMS) return named;
  const written = new Set(hits.slice(0, LOOKED_AT).flatMap(({ record }) => identifyingNames(record.content)));
  return terms.flatMap((term, place) => (written.has(term) && isName(place) ? [place] : []));
}
