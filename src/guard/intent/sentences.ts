/** Splits a text into sentences, which are scored alone and with their neighbours. */

/** Longest stretch; an order needs no more, and what is longer would drown it. */
export const MAX_STRETCH = 300;
const NEW_LINE = 10;

/** Calls back with each sentence; one that is too long is cut. */
export function eachSentence(text: string, found: (start: number, end: number) => void): void {
  let start = 0;
  const finish = (end: number): void => {
    if (end > start) found(start, end);
    start = end;
  };
  for (let i = 0; i < text.length; i++) {
    if (endsHere(text, i) || i - start >= MAX_STRETCH) finish(i + 1);
  }
  finish(text.length);
}

function endsHere(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  if (code === NEW_LINE || code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x0964)
    return true;
  if (code !== 46 && code !== 33 && code !== 63) return false;
  const next = text.charCodeAt(i + 1);
  // A point inside of a word belongs to an address or a number.
  return !(next > 32);
}
