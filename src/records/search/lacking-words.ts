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

/** `besides`: the places of names and numbers, which are looked at by themselves. */
export function lackingIn(hit: Judged, besides: readonly number[], sense: WordSense | undefined): Lacking {
  const {
    asked,
    candidate: { held },
  } = hit;
  const misread = new Set([...asked.readAs.values()].flatMap(analyze));
  let [whole, lacking, most] = [0, 0, 0];
  asked.terms.forEach((term, place) => {
    if (besides.includes(place) || asking().has(term) || (misread.has(term) && !asked.isKnown[place])) return;
    const weight = sense === undefined ? asked.worth[place]! : sense.weightOf(term);
    whole += weight;
    if (held.counts[held.start + place] !== 0) return;
    const lack = sense === undefined ? weight : weight * (1 - sense.meaningOf(hit, term));
    lacking += lack;
    most = Math.max(most, lack);
  });
  return whole === 0 ? NOTHING : { share: lacking / whole, most };
}
