/** Evidence of neighbouring turns: an answer seldom repeats the words of its question. */

/** How much a neighbour's words count, by its distance; the turn before says more about a turn than the turn after. */
const BEFORE = [0.5, 0.2] as const;
const AFTER = [0.4, 0.2] as const;
/** What a question passes on to the turn that answers it, and what it loses itself. */
const ASKED = 0.3;
const ASKING = 0.2;
/** A short turn leans on its neighbours, a long one stands for itself. */
const LEANING_LENGTH = 30;

/** Up to so many words a text lends all of its evidence; a longer one is about many things, and what stands beside it about one. */
const LENDING_LENGTH = 150;

/** How far neighbours are looked for. */
export const REACH = BEFORE.length;

export interface Turn {
  readonly length: number;
  readonly asks: boolean;
  /** Its own evidence. */
  readonly score: number;
}

/** Quotation marks, brackets and emoji may follow; words of any script may not. */
const ENDS_ASKING = /[?？؟][^\p{L}\p{N}]*$/u;

export function isQuestion(content: string): boolean {
  return ENDS_ASKING.test(content.slice(-40));
}

function lendable({ score, length }: Turn): number {
  return (score * LENDING_LENGTH) / Math.max(LENDING_LENGTH, length);
}

const leaningOf = ({ length }: Turn): number => LEANING_LENGTH / (LEANING_LENGTH + length);

/** The evidence for a turn by itself. */
export function alone(turn: Turn): number {
  return turn.score * (1 - (turn.asks ? ASKING * leaningOf(turn) : 0));
}

/** The evidence for a turn, its neighbours' (nearest first) included. */
export function withContext(turn: Turn, before: readonly Turn[], after: readonly Turn[]): number {
  let lent = 0;
  before.forEach((other, distance) => {
    const weight = (BEFORE[distance] ?? 0) + (distance === 0 && other.asks ? ASKED : 0);
    lent += weight * lendable(other);
  });
  after.forEach((other, distance) => {
    lent += (AFTER[distance] ?? 0) * lendable(other);
  });
  return alone(turn) + leaningOf(turn) * lent;
}
