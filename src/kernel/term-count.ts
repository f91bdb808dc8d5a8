/** How often a term stands in a record, in sixteen bits: a count, or the mark that only a label of the record holds it. */

/** The term stands in the category or a tag, and nowhere in the text. */
export const ONLY_IN_LABELS = 0x8000;
/** A text that has a term more often counts as having it so often. */
export const MOST_COUNTED = ONLY_IN_LABELS - 1;
