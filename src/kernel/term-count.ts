/** The frequency of a term in a record, in sixteen bits: a count, or a mark that only labels contain it. */

/** The term stands in the category or a tag, and nowhere in the text. */
export const ONLY_IN_LABELS = 0x8000;
/** A text that has a term more often counts as having it so often. */
export const MOST_COUNTED = ONLY_IN_LABELS - 1;
