/** Puts what was said later before what was said earlier in nearly the same words. */
import { isTelling } from '../../kernel/analysis.ts';
import type { TermCounts } from './term-counts.ts';

/** Texts that share so much of their telling words say nearly the same… */
const NEARLY_THE_SAME = 0.6;
/** …if they have so many: "Anna likes tea" and "Tom likes tea" do not. */
const LEAST_WORDS = 6;
/** What the earlier one is worth beside the later one. */
const EARLIER = 0.6;
/** Of the hits behind these hardly any is shown. */
const LOOKED_AT = 40;

interface Hit {
  readonly record: { readonly updatedAt: number };
}

/** What each hit, best first, keeps of its score beside later ones that say nearly the same; for all behind the first ones 1. */
export function earlierDecays<T extends Hit>(hits: readonly T[], termsOf: (hit: T) => TermCounts): number[] {
  const first = hits.slice(0, LOOKED_AT).map((hit) => {
    const { counts, labels } = termsOf(hit);
    const telling = [...counts.keys()].filter((term) => isTelling(term) && !labels.has(term));
    return { said: new Set(telling), at: hit.record.updatedAt };
  });
  return hits.map((_, i) => {
    const own = first[i];
    if (own === undefined) return 1;
    return first.some((other) => other.at > own.at && sayNearlyTheSame(own.said, other.said)) ? EARLIER : 1;
  });
}

function sayNearlyTheSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size < LEAST_WORDS || small.size < NEARLY_THE_SAME * large.size) return false;
  let shared = 0;
  for (const term of small) if (large.has(term)) shared++;
  return shared >= NEARLY_THE_SAME * (small.size + large.size - shared);
}
