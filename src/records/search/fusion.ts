/** From two kinds of evidence to one number: order within a question, and a relevance that compares between questions. */

export interface Evidence {
  /** BM25 with context: good for order, not comparable between questions. */
  readonly text: number;
  /** Cosine with the question; null without a vector. */
  readonly similarity: number | null;
  /** Share of the question's words that it holds, 0 to 1. */
  readonly coverage: number;
}

export interface Calibration {
  readonly unrelated: number;
  readonly same: number;
}

/** Words that reach less than this part of a full answer do not count as the best there could be. */
const LEAST_SHARE = 0.5;
/** What a text is worth at least that holds every telling word of the question. */
const WHOLE = 0.3;
/** What meaning weighs beside words. Small static vectors are the weaker witness. */
const MEANING = 0.4;

/**
 * Where no vector says how close anything is, words are the only witness and count for more: a share of 0.03 is then what
 * 0.1 is with both. Without this, the default threshold would drop every third answer (MemDaily, words only).
 */
const ONE_WITNESS = 2 / 3;

/** 0 for what unrelated texts reach, 1 for what texts of the same meaning reach. */
export function semantic(similarity: number, { unrelated, same }: Calibration): number {
  return Math.min(1, Math.max(0, (similarity - unrelated) / (same - unrelated)));
}

/** Below this, similarities say nothing at all: models differ in where their scale begins. */
function floorOf({ unrelated, same }: Calibration): number {
  return unrelated - (same - unrelated) / 4;
}

/** One relevance per piece of evidence, 0 to 1. */
export function fuse(
  evidence: readonly Evidence[],
  calibration: Calibration,
  /** What the words of a full answer would weigh: beside that, a few borrowed words are little. */
  fullText: number,
): number[] {
  const floor = floorOf(calibration);
  const above = ({ similarity }: Evidence): number => Math.max(0, (similarity ?? floor) - floor);
  let mostText = LEAST_SHARE * fullText;
  let mostMeaning = 0;
  // How good the best of them really is, from what it holds of the question; the order comes from the fused score.
  let best = 0;
  let isByWords = true;
  for (const entry of evidence) {
    mostText = Math.max(mostText, entry.text);
    mostMeaning = Math.max(mostMeaning, above(entry));
    best = Math.max(best, certainty(entry, calibration));
    if (entry.similarity !== null) isByWords = false;
  }
  const wordsOf = ({ text }: Evidence): number => (mostText === 0 ? 0 : text / mostText);
  const fusedOf = (entry: Evidence): number =>
    wordsOf(entry) + (mostMeaning === 0 ? 0 : (MEANING * above(entry)) / mostMeaning);
  let most = 0;
  for (const entry of evidence) most = Math.max(most, fusedOf(entry));
  if (most === 0) return evidence.map(() => 0);
  const scale = isByWords ? ONE_WITNESS : 1;
  return evidence.map((entry) => {
    const { similarity, coverage } = entry;
    // Beside a strong best, a weak similarity alone would look like something; its own evidence is the limit.
    const meaning = similarity === null ? 0 : semantic(similarity, calibration);
    const share = Math.min((best * fusedOf(entry)) / most, best * wordsOf(entry) + meaning);
    // A long text that holds the whole question has a small share of a short one's score, and answers all the same.
    return Math.max(share, WHOLE * coverage ** 3) ** scale;
  });
}

/** Either witness can convince alone; both together convince more. */
function certainty({ coverage, similarity }: Evidence, calibration: Calibration): number {
  const meaning = similarity === null ? 0 : semantic(similarity, calibration);
  return 1 - (1 - coverage) * (1 - meaning);
}
