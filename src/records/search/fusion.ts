/** Fuses word and vector evidence into a ranking and a calibrated relevance. */

/** Of all texts in columns: a search fuses hundreds of them twice, and an object for each costs more than the arithmetic. */
export interface Evidence {
  /** BM25 with context: good for order, not comparable between questions. */
  readonly text: Float64Array;
  /** Cosine with the question; NaN without a vector. */
  readonly similarity: Float64Array;
  /** Share of the question's words that it holds, 0 to 1. */
  readonly coverage: Float64Array;
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

/** One relevance per text, 0 to 1. */
export function fuse(
  { text, similarity, coverage }: Evidence,
  calibration: Calibration,
  /** What the words of a full answer would weigh: beside that, a few borrowed words are little. */
  fullText: number,
): Float64Array {
  const count = text.length;
  const floor = floorOf(calibration);
  const above = similarity.map((value) => (Number.isNaN(value) ? 0 : Math.max(0, value - floor)));
  // Without a vector there is no meaning.
  const meaning = similarity.map((value) => (Number.isNaN(value) ? 0 : semantic(value, calibration)));
  let mostText = LEAST_SHARE * fullText;
  let mostMeaning = 0;
  // How good the best of them really is, from what it holds of the question; the order comes from the fused score.
  let best = 0;
  for (let i = 0; i < count; i++) {
    mostText = Math.max(mostText, text[i]!);
    mostMeaning = Math.max(mostMeaning, above[i]!);
    // Either witness can convince alone; both together convince more.
    best = Math.max(best, 1 - (1 - coverage[i]!) * (1 - meaning[i]!));
  }
  const words = text.map((value) => (mostText === 0 ? 0 : value / mostText));
  const fused = words.map(
    (value, i) => value + (mostMeaning === 0 ? 0 : (MEANING * above[i]!) / mostMeaning),
  );
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, fused[i]!);
  if (most === 0) return new Float64Array(count);
  const scale = similarity.every(Number.isNaN) ? ONE_WITNESS : 1;
  return fused.map((value, i) => {
    // Beside a strong best, a weak similarity alone would look like something; its own evidence is the limit.
    const share = Math.min((best * value) / most, best * words[i]! + meaning[i]!);
    // A long text that holds the whole question has a small share of a short one's score, and answers all the same.
    return Math.max(share, WHOLE * coverage[i]! ** 3) ** scale;
  });
}
