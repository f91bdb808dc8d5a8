/** Encodes in eleven bits how often a word occurs in a record: in its text, and in its labels (category and tags). */

export const CODE_BITS = 11;
/** The code for counts that do not fit; the weighted frequency is stored in `Documents`. */
export const LARGE = 0;
/** The code for once in the text and never in the labels. */
export const ONCE = 1;

const LABELLED = 1 << (CODE_BITS - 1);
const BODY_BITS = 7;
const LABEL_WEIGHT = 0.6;

export function codeFor(body: number, labels: number): number {
  if (labels === 0) return body < LABELLED ? body : LARGE;
  const fits = body < 1 << BODY_BITS && labels < 1 << (CODE_BITS - 1 - BODY_BITS);
  return fits ? LABELLED | (labels << BODY_BITS) | body : LARGE;
}

/** The count in the text, of a code that is not `LARGE`. */
export function inText(code: number): number {
  return code < LABELLED ? code : code & ((1 << BODY_BITS) - 1);
}

/** The weighted frequency. Added one by one, so that it is rounded as FTS5 rounds it. */
export function weighted(body: number, labels: number): number {
  let sum = body;
  for (let i = 0; i < labels; i++) sum += LABEL_WEIGHT;
  return sum;
}

/** The weighted frequency of each code; 0 for `LARGE`. */
export const FREQUENCIES = Float64Array.from({ length: 1 << CODE_BITS }, (_, code) =>
  code < LABELLED ? code : weighted(inText(code), (code & (LABELLED - 1)) >>> BODY_BITS),
);
