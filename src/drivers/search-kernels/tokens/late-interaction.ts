/** How well a text matches a question token by token: for each token of the question the closest one of the text, on average. */

/** The length of a vector of bytes. */
const UNIT = 127;

function dot(a: Int8Array, from: number, b: Int8Array, start: number, dimensions: number): number {
  let [even, odd] = [0, 0];
  for (let i = 0; i < dimensions; i += 2) {
    even += a[from + i]! * b[start + i]!;
    odd += a[from + i + 1]! * b[start + i + 1]!;
  }
  return even + odd;
}

/** Of one passage: rows `first` to `last` of the text. */
function passageMatch(
  question: Int8Array,
  text: Int8Array,
  dimensions: number,
  first: number,
  last: number,
): number {
  let sum = 0;
  for (let asked = 0; asked < question.length; asked += dimensions) {
    let best = Number.NEGATIVE_INFINITY;
    for (let row = first; row < last; row += dimensions) {
      const close = dot(question, asked, text, row, dimensions);
      if (close > best) best = close;
    }
    sum += best;
  }
  return (sum * dimensions) / question.length / UNIT ** 2;
}

/** The best passage counts. Both sides need at least one token; `dimensions` is even. */
export function lateInteraction(
  question: Int8Array,
  text: Int8Array,
  { dimensions, passage }: { readonly dimensions: number; readonly passage: number },
): number {
  const step = passage * dimensions;
  let best = Number.NEGATIVE_INFINITY;
  for (let first = 0; first < text.length; first += step) {
    const last = Math.min(text.length, first + step);
    best = Math.max(best, passageMatch(question, text, dimensions, first, last));
  }
  return best;
}
