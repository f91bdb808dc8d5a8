/** Decides whether what somebody may see is little enough to be read whole by a search. */

/** So many are always read whole: an index is not faster. */
const LITTLE = 512;
/** Where all that others have stored is so many times as much, an index of all of it costs more than reading… */
const TIMES_AS_MUCH = 64;
/** …so many. */
const MOST = 8_192;

/** Longer texts together, in characters, take longer to analyse than an index takes to answer. */
export const MOST_CHARACTERS = 2 ** 20;

/** How many records a scope may have, in a store of so many. */
export const mostInScope = (stored: number): number =>
  Math.max(LITTLE, Math.min(MOST, Math.floor(stored / TIMES_AS_MUCH)));
