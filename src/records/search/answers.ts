/** Decides which hits are likely answers, for search, recall, prompts, tools and hooks. */
import { speakerIn } from './form.ts';
import type { Judged } from './judgement.ts';
import { lacksKind } from './kind-of-answer.ts';
import { LEAST_RELEVANCE } from './silence.ts';
import { answersAPart, lacking, namesMeant, unspokenOf } from './subject.ts';
import { isOfCalendar } from './text-evidence.ts';
import type { MeaningOf } from './word-meaning.ts';

/**
 * What each kind of evidence weighs, and what an answer must reach. `unspoken` and `unheard` weigh the words of a question about
 * somebody that a fact lacks: those that other memories hold, and those that none holds. Fitted on questions of the owner and of others (0029).
 */
const WITH_MEANING = {
  base: -1.9,
  relevance: 3.9,
  coverage: 3.1,
  meaning: 2.2,
  unspoken: 6,
  unheard: 3,
  least: -1.8,
};
const BY_WORDS = {
  base: -1.4,
  relevance: 4.5,
  coverage: 3.5,
  meaning: 0,
  unspoken: 6,
  unheard: 1,
  least: -1.5,
};
/** Where single words are compared by meaning, other words for the same thing are not lacking, so that what is lacking says more. */
const BY_EACH_WORD = { ...WITH_MEANING, unspoken: 8, unheard: 6 };

/** A question about Elena, of whom nobody ever spoke, is not answered by what is known about Lena. */
const UNKNOWN_NAMES = 8;
const UNKNOWN_NUMBERS = 5;
/** Somebody else's name or another number; a turn may leave out whom it is about. */
const OTHER_NAMES = 2.3;
const OTHER_NUMBERS = 1;
/** A fact says by itself whom it is about. */
const OTHER_NAMES_OF_FACT = 8;
const OTHER_NUMBERS_OF_FACT = 5;
/** A fact without any number does not say how many. */
const OTHER_KIND = 4;
/** Of many records some are alike to any question; beyond a thousand it hardly matters. */
const POPULATION = 0.9;
const [FEWEST, MOST] = [10, 1_000];
/** A long text holds some words of any question. */
const LENGTH = 0.6;
const SHORT_TEXT = 30;
/** …but a passage is not worse for being long. */
const MOST_DOUBLINGS = 2;

/** An answer among facts that is so much weaker than the best is noise. */
const BESIDE_BEST = 2;
/** What the best is looked for among: order has other reasons too. */
const FIRST = 5;
/** Where texts are longer on average, they are messages or passages, each about many things, and an answer is seldom in one of them. */
const FACT_WORDS = 40;
const LOOKED_AT = 10;

const NOTHING = { unknown: 0, missing: 0 };

function weightsFor({ similarity }: Judged, isByWord: boolean) {
  if (similarity === null) return BY_WORDS;
  return isByWord ? BY_EACH_WORD : WITH_MEANING;
}

/** The evidence that a hit is an answer, in logits above what an answer must reach. */
function evidenceFor(
  hit: Judged,
  named: readonly number[],
  query: string,
  meaningOf: MeaningOf | undefined,
): number {
  const saysItself = isFact(hit) && hit.candidate.held.length <= FACT_WORDS;
  const { base, relevance, coverage, meaning, unspoken, unheard, least } = weightsFor(
    hit,
    meaningOf !== undefined,
  );
  const names = lacking(hit, named);
  const numbers = lacking(hit, hit.asked.identifying.numbers);
  const owners =
    saysItself && !answersAPart(hit) ? named.filter((place) => !isOfCalendar(hit.asked.terms[place]!)) : [];
  const rest = owners.length > 0 ? unspokenOf(hit, named, meaningOf) : NOTHING;
  return (
    base -
    least +
    relevance * hit.relevance +
    coverage * hit.coverage +
    meaning * hit.semantic -
    UNKNOWN_NAMES * names.unknown -
    (lacking(hit, owners).missing === 1 ? OTHER_NAMES_OF_FACT : OTHER_NAMES * names.missing) -
    UNKNOWN_NUMBERS * numbers.unknown -
    (saysItself ? OTHER_NUMBERS_OF_FACT : OTHER_NUMBERS) * numbers.missing -
    unspoken * rest.missing -
    unheard * rest.unknown -
    (saysItself && lacksKind(query, hit.record.content) ? OTHER_KIND : 0) -
    POPULATION * Math.log10(Math.min(MOST, Math.max(FEWEST, hit.asked.population))) -
    LENGTH * Math.min(MOST_DOUBLINGS, Math.log2(Math.max(1, hit.candidate.held.length / SHORT_TEXT)))
  );
}

/** Whether it says one thing by itself, and is neither a turn of a conversation nor a passage of a document. */
function isFact({ record }: Judged): boolean {
  return record.thread === null && record.source !== 'knowledge' && speakerIn(record) === undefined;
}

/**
 * The answers among hits, in their order. A question whose best hit does not reach what an answer must reach has none. Facts
 * must besides be nearly as good as the best; turns and passages answer together, so those that are relevant at all stay. A
 * remark shares little with what it goes on with: of turns it brings whatever is relevant.
 */
export function answersAmong<Hit extends Judged>(
  hits: readonly Hit[],
  { query, isRemark }: { readonly query: string; readonly isRemark: boolean },
  meaningOf?: MeaningOf,
): Hit[] {
  const relevant = hits.filter(({ relevance }) => relevance >= LEAST_RELEVANCE);
  const named = namesMeant(relevant);
  const evidence = new Map(relevant.map((hit) => [hit, evidenceFor(hit, named, query, meaningOf)]));
  const best = Math.max(...relevant.slice(0, FIRST).map((hit) => evidence.get(hit)!));
  if (!(best >= 0) && !isRemark) return [];
  const first = relevant.slice(0, LOOKED_AT);
  const words = first.reduce((sum, { candidate }) => sum + candidate.held.length, 0);
  const areFacts = words <= FACT_WORDS * first.length;
  return relevant.filter((hit) => {
    if (!areFacts || !isFact(hit)) return true;
    const own = evidence.get(hit)!;
    return own >= 0 && own >= best - BESIDE_BEST;
  });
}
