/** Compares the subjects of question and memory: a question about Tom is not answered by a memory about Maria. */
import { analyze } from '../../kernel/analysis.ts';
import { once } from '../../kernel/once.ts';
import type { Judged } from './judgement.ts';
import { namesIn } from './text-evidence.ts';
import type { MeaningOf } from './word-meaning.ts';

/** Words that ask for anything there is: "Tell me what you know about Tom". */
const asking = once(
  () =>
    new Set(
      analyze(
        'tell know say said remember recall describe explain show give list find anything something everything happen info information detail details please',
      ),
    ),
);
/** In a longer question names have capital letters, or nobody could read it. */
const FEW_TERMS = 5;
/** More hits do not say more about how a word is written. */
const LOOKED_AT = 10;

/** Shares of some terms of the question. */
export interface Lacking {
  /** Those that no visible record holds. */
  readonly unknown: number;
  /** Those that others hold, but this one does not. */
  readonly missing: number;
}

export function lacking({ asked, candidate: { held } }: Judged, places: readonly number[]): Lacking {
  if (places.length === 0) return { unknown: 0, missing: 0 };
  let [unknown, missing] = [0, 0];
  for (const place of places) {
    if (!asked.isKnown[place]) unknown++;
    else if (held.counts[held.start + place] === 0) missing++;
  }
  return { unknown: unknown / places.length, missing: missing / places.length };
}

/** The same of all that is asked about somebody, by what its words are worth; nothing where nothing in particular is asked. */
export function unspokenOf(hit: Judged, names: readonly number[], meaningOf: MeaningOf = () => 0): Lacking {
  const {
    asked,
    candidate: { held },
  } = hit;
  const { numbers } = asked.identifying;
  let [whole, unknown, missing] = [0, 0, 0];
  asked.terms.forEach((term, place) => {
    if (names.includes(place) || numbers.includes(place) || asking().has(term) || asked.readAs.has(term))
      return;
    const worth = asked.worth[place]!;
    whole += worth;
    if (held.counts[held.start + place] !== 0) return;
    const lack = worth * (1 - meaningOf(hit, place));
    if (asked.isKnown[place]) missing += lack;
    else unknown += lack;
  });
  return whole === 0 ? { unknown: 0, missing: 0 } : { unknown: unknown / whole, missing: missing / whole };
}

/** Whether it holds a whole part of a question that asks for several things; the other parts are answered by others. */
export function answersAPart({ asked, candidate: { held } }: Judged): boolean {
  return asked.parts.some((part) => part.every((place) => held.counts[held.start + place]! > 0));
}

/** Where the names stand: as the question writes them or, when it has no capital letters, as the hits write them. */
export function namesMeant(hits: readonly Judged[]): readonly number[] {
  const asked = hits[0]?.asked;
  if (asked === undefined) return [];
  const { identifying, terms, isWithoutCapitals } = asked;
  if (identifying.names.length > 0 || !isWithoutCapitals || terms.length > FEW_TERMS)
    return identifying.names;
  const written = new Set(hits.slice(0, LOOKED_AT).flatMap(({ record }) => namesIn(record.content)));
  if (written.size === 0) return identifying.names;
  return terms.flatMap((term, place) => (written.has(term) ? [place] : []));
}
