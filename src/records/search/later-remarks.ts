/** Ranks the later of two nearly equal statements first. */
import { type TermCounts, tellingWords } from './term-counts.ts';

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
  const first = hits.slice(0, LOOKED_AT);
  const said = first.map((hit) => tellingWords(termsOf(hit)));
  const shared = sharedWords(said);
  return hits.map((hit, i) => {
    if (i >= first.length) return 1;
    const isSaidAgain = first.some(
      (other, j) =>
        other.record.updatedAt > hit.record.updatedAt &&
        sayNearlyTheSame(said[i]!.length, said[j]!.length, shared[i * first.length + j]!),
    );
    return isSaidAgain ? EARLIER : 1;
  });
}

/** How many words each two texts share, in rows of as many numbers as there are texts. Words are looked up once, not for each pair. */
function sharedWords(texts: readonly (readonly string[])[]): Uint32Array {
  const shared = new Uint32Array(texts.length ** 2);
  const holders = new Map<string, number[]>();
  for (const [i, words] of texts.entries()) {
    for (const word of words) {
      const before = holders.get(word);
      if (before === undefined) {
        holders.set(word, [i]);
        continue;
      }
      for (const j of before) {
        shared[i * texts.length + j]!++;
        shared[j * texts.length + i]!++;
      }
      before.push(i);
    }
  }
  return shared;
}

function sayNearlyTheSame(one: number, other: number, shared: number): boolean {
  const [small, large] = one <= other ? [one, other] : [other, one];
  if (small < LEAST_WORDS || small < NEARLY_THE_SAME * large) return false;
  return shared >= NEARLY_THE_SAME * (small + large - shared);
}
