/** Ranks full matches before partial ones, and exact phrases before separate words. */
import type { Judged } from './judgement.ts';

/** Sums of weights differ in their last digits. */
const WHOLE = 0.999;
/** So much more relevant than the best that holds a part. */
const STEP = 1.0001;
/** A name from source code or a file: it is one thing, though its words stand in many texts. */
const LITERAL = /[\p{L}\p{N}]+(?:[_./:@#-]+[\p{L}\p{N}]+)+|\p{Ll}+\p{Lu}\p{L}*/gu;
/** More of a question is not compared letter by letter. */
const MOST_CHARACTERS = 400;
const SPACES = /[^\p{L}\p{N}_./:@#-]+/gu;

const plain = (text: string): string => ` ${text.toLowerCase().replace(SPACES, ' ').trim()} `;

/** Relevances in the order of the hits, with those of complete matches raised above the others where they are not. */
export function wholeFirst(hits: readonly Judged[], query: string): readonly Judged[] {
  const [asked] = hits.map((hit) => hit.asked);
  if (asked === undefined || query.length > MOST_CHARACTERS) return hits;
  const known = new Set(asked.known);
  let all = 0;
  asked.terms.forEach((term, place) => {
    if (known.has(term)) all += asked.worth[place]!;
  });
  if (all === 0) return hits;
  const levels = levelsOf(query);
  const levelOf = (hit: Judged): number => {
    if (hit.candidate.weight < WHOLE * all) return 0;
    return 1 + levels(hit.record.content);
  };
  const level = hits.map(levelOf);
  const highest = Math.max(...level);
  if (highest === 0) return hits;
  const raised = hits.map(({ relevance }) => relevance);
  for (let above = 1; above <= highest; above++) {
    let best = 0;
    raised.forEach((relevance, i) => {
      if (level[i]! < above) best = Math.max(best, relevance);
    });
    raised.forEach((relevance, i) => {
      if (level[i]! >= above) raised[i] = Math.min(1, Math.max(relevance, STEP * best));
    });
  }
  // What begins better does not come before it either, and it loses nothing by its form.
  const opening = Math.max(...hits.map((hit) => hit.opening));
  return hits.map((hit, i) => {
    if (level[i] === 0) return hit;
    return { ...hit, relevance: raised[i]!, opening, speech: Math.max(1, hit.speech) };
  });
}

/** 1 for a text with the names of the question letter by letter, 2 for one with all of it as it was written. */
function levelsOf(query: string): (content: string) => number {
  const phrase = plain(query);
  const isPhrase = phrase.trim().includes(' ');
  const literals = [...new Set((query.match(LITERAL) ?? []).map((name) => name.toLowerCase()))];
  return (content) => {
    const text = plain(content);
    if (isPhrase && text.includes(phrase)) return 2;
    const lower = content.toLowerCase();
    return literals.length > 0 && literals.every((name) => lower.includes(name)) ? 1 : 0;
  };
}
