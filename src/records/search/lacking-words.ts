/** How much of what a question asks, besides whom it is about, a memory does not say. */
import { analyze } from '../../kernel/analysis.ts';
import { once } from '../../kernel/once.ts';
import type { Judged } from './judgement.ts';
import type { WordSense } from './word-meaning.ts';

/** Words that ask for anything there is: "Tell me what you know about Tom". */
const asking = once(
  () =>
    new Set(
      analyze(
        'tell know say said remember recall describe explain show give list find anything something everything happen info information detail details please',
      ),
    ),
);

export interface Lacking {
  /** The share of the question that it lacks, by what its words count. */
  readonly share: number;
  /** What the most telling of the lacking words counts. */
  readonly most: number;
}

const NOTHING: Lacking = { share: 0, most: 0 };

/** A word of the question that an answer should have. */
interface Asked {
  readonly term: string;
  readonly place: number;
  readonly weight: number;
}

/** `besides`: the places of names and numbers, which are looked at by themselves. */
export function lackingFrom(
  besides: readonly number[],
  sense: WordSense | undefined,
): (hit: Judged) => Lacking {
  const known = new Map<Judged['asked'], readonly Asked[]>();
  const wordsOf = (asked: Judged['asked']): readonly Asked[] => {
    let words = known.get(asked);
    if (words === undefined) {
      const misread = new Set([...asked.readAs.values()].flatMap(analyze));
      words = asked.terms.flatMap((term, place) => {
        if (besides.includes(place) || asking().has(term)) return [];
        if (misread.has(term) && !asked.isKnown[place]) return [];
        return [{ term, place, weight: sense === undefined ? asked.worth[place]! : sense.weightOf(term) }];
      });
      known.set(asked, words);
    }
    return words;
  };
  return (hit) => {
    const { counts, start } = hit.candidate.held;
    let [whole, lacking, most] = [0, 0, 0];
    for (const { term, place, weight } of wordsOf(hit.asked)) {
      whole += weight;
      if (counts[start + place] !== 0) continue;
      const lack = sense === undefined ? weight : weight * (1 - sense.meaningOf(hit, term));
      lacking += lack;
      if (lack > most) most = lack;
    }
    return whole === 0 ? NOTHING : { share: lacking / whole, most };
  };
}
