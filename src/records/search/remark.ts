/** Distinguishes remarks that continue a conversation ("Done, and it works.") from questions. */

/** More of a text is not read to tell what it is. */
const MOST_CHARACTERS = 4_000;
/** Fewer words than this are a search for something, even without a question mark. */
const FEW_WORDS = 8;
/** A question may be led up to in one sentence; what takes more is a remark, though it ends in a question. */
const MANY_SENTENCES = 3;

const SENTENCE_END = /[.!?…]+(?=\s|$)|[。！？؟]+|\n+/u;
const WORD = /[\p{L}\p{N}]+/gu;
const ENDS_ASKING = /[?？؟][^\p{L}\p{N}]*$/u;

/** A question can be about anything that was ever said; a remark is about what was said lately. */
export function isRemark(query: string): boolean {
  const text = query.slice(0, MOST_CHARACTERS);
  const sentences = text.split(SENTENCE_END).filter((part) => part.search(WORD) >= 0).length;
  if (sentences >= MANY_SENTENCES) return true;
  if (ENDS_ASKING.test(text.slice(-40))) return false;
  return sentences > 1 || (text.match(WORD)?.length ?? 0) >= FEW_WORDS;
}
