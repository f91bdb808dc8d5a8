/** Finds texts of a benchmark that a training text repeats, in whole or in part: public collections copy from each other. */

/** As many words in a row are hardly the same by chance. */
const WORDS_IN_A_ROW = 8;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  if (words.length < WORDS_IN_A_ROW) return [words.join(' ')];
  return Array.from({ length: words.length - WORDS_IN_A_ROW + 1 }, (_, i) =>
    words.slice(i, i + WORDS_IN_A_ROW).join(' '),
  );
}

/** Those of `texts` that share eight words in a row with one of `training`, or are shorter and equal to one. */
export function seenInTraining(texts: readonly string[], training: Iterable<string>): Set<string> {
  const textsOf = new Map<string, Set<string>>();
  for (const text of texts) {
    for (const run of runsOf(text)) {
      const same = textsOf.get(run);
      if (same === undefined) textsOf.set(run, new Set([text]));
      else same.add(text);
    }
  }
  const seen = new Set<string>();
  for (const text of training) {
    for (const run of runsOf(text)) for (const same of textsOf.get(run) ?? []) seen.add(same);
  }
  return seen;
}
