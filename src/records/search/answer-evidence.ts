/** What speaks for and against a hit as the answer to a question: the same for facts, turns and passages. */
import { speakerIn } from './form.ts';
import type { Judged } from './judgement.ts';
import { lacksKind } from './kind-of-answer.ts';
import { type Lacking, lackingFrom } from './lacking-words.ts';
import { answersAPart, lackedNames, lacksNumber, namesMeant, numbersMeant } from './subject.ts';
import type { WordSense } from './word-meaning.ts';

/** A fact says one thing in so many words; longer texts are messages or passages. */
export const FACT_WORDS = 40;
/** Others that a hit is compared with. */
const OTHERS = 12;
/** The hits behind so many first ones are its company: in a memory that knows the subject they are about it too. */
const COMPANY_BEHIND = 5;
/** Of many records some are alike to any question by chance: compared with a store of thirty, between ten and a thousand. */
const [FEWEST_RECORDS, USUAL_RECORDS, MOST_RECORDS] = [10, 30, 1_000];
/** A long text holds some words of any question… */
const SHORT_TEXT = 30;
/** …but a passage is not worse for being long. */
const MOST_DOUBLINGS = 2;

export interface AnswerEvidence {
  readonly relevance: number;
  readonly coverage: number;
  /** The calibrated similarity; 0 without vectors. */
  readonly meaning: number;
  /** 1 if it lacks one of the names that the question is about, or each of them; a share of those that nobody ever mentioned. */
  readonly lacksName: number;
  readonly lacksNames: number;
  readonly unknownNames: number;
  readonly lacksNumber: number;
  readonly lacksKind: number;
  /** The share of the rest of the question that it lacks, and what the most telling of these words counts. */
  readonly lacking: number;
  readonly lacksMost: number;
  /** How much less relevant it is than the best of the others, and how much more it lacks than the fullest of them. */
  readonly behind: number;
  readonly lacksMore: number;
  /** How relevant what follows the first hits is. */
  readonly company: number;
  /** Powers of ten beyond a usual small store, and doublings beyond a short text. */
  readonly population: number;
  readonly length: number;
}

/** Whether it says one thing by itself, and is neither a turn of a conversation nor a passage of a document. */
export function isFact({ record, candidate: { held } }: Judged): boolean {
  return (
    held.length <= FACT_WORDS &&
    record.thread === null &&
    record.source !== 'knowledge' &&
    speakerIn(record) === undefined
  );
}

/** The evidence of hits among others. */
export interface Evidence {
  of(hit: Judged): AnswerEvidence;
  /** As if the hit said all that is asked, which takes a fraction of the time: whatever weighs against it there weighs more in `of`. */
  atBest(hit: Judged): AnswerEvidence;
}

/** The hits are given in their order. */
export function evidenceAmong(
  hits: readonly Judged[],
  query: string,
  sense: WordSense | undefined,
): Evidence {
  const [first] = hits;
  const names = namesMeant(hits);
  const numbers = first === undefined ? [] : numbersMeant(first);
  const besides = [...names, ...numbers];
  const compared = hits.slice(0, OTHERS);
  const company = companyAmong(compared);
  const isPart = (hit: Judged): boolean => hit.asked.parts.length > 0 && answersAPart(hit);
  const lackingIn = lackingFrom(besides, sense);
  const lackingOf = new Map<Judged, Lacking>();
  const lacks = (hit: Judged) => {
    let known = lackingOf.get(hit);
    if (known === undefined) {
      known = isPart(hit) ? { share: 0, most: 0 } : lackingIn(hit);
      lackingOf.set(hit, known);
    }
    return known;
  };
  const behind = (hit: Judged): number => {
    let most = 0;
    for (const other of compared) if (other !== hit) most = Math.max(most, other.relevance - hit.relevance);
    return most;
  };
  const atBest = (hit: Judged): AnswerEvidence => {
    const lacked = lackedNames(hit, isPart(hit) ? [] : names);
    return {
      relevance: hit.relevance,
      coverage: hit.coverage,
      meaning: hit.semantic,
      lacksName: Number(lacked.any),
      lacksNames: Number(lacked.all),
      unknownNames: lacked.unknown,
      lacksNumber: Number(!isPart(hit) && lacksNumber(hit, numbers)),
      lacksKind: Number(lacksKind(query, hit.record.content)),
      lacking: 0,
      lacksMost: 0,
      behind: behind(hit),
      lacksMore: 0,
      company,
      population: Math.log10(
        Math.min(MOST_RECORDS, Math.max(FEWEST_RECORDS, hit.asked.population)) / USUAL_RECORDS,
      ),
      length: Math.min(MOST_DOUBLINGS, Math.log2(Math.max(1, hit.candidate.held.length / SHORT_TEXT))),
    };
  };
  return {
    atBest,
    of: (hit) => {
      const { share, most } = lacks(hit);
      // Turns leave out what was said before them.
      const others = isFact(hit) ? compared.filter((other) => other !== hit && isFact(other)) : [];
      const least = Math.min(1, ...others.map((other) => lacks(other).share));
      const lacksMore = isFact(hit) ? Math.max(0, share - least) : 0;
      return { ...atBest(hit), lacking: share, lacksMost: most, lacksMore };
    },
  };
}

function companyAmong(compared: readonly Judged[]): number {
  const behind = compared.slice(COMPANY_BEHIND);
  return behind.reduce((sum, { relevance }) => sum + relevance, 0) / Math.max(1, behind.length);
}
