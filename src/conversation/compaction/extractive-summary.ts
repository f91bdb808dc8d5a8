/** A summary without a language model: the most informative sentences of a transcript, in their order, within a budget. */
import { analyze } from '../../kernel/analysis.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { cueWeight } from './salience-cues.ts';
import { SUMMARY_MARK } from './summary-check.ts';
import { withToolsInWords } from './tools-in-words.ts';
import { splitSpeaker, type Utterance, utterancesIn } from './utterances.ts';

export interface ExtractiveOptions {
  /** Longest summary, in estimated tokens. */
  readonly maxTokens: number;
}

/** Says how the summary was made, so that readers do not take it for one that a model wrote. */
export const EXTRACTIVE_LABEL =
  '(Extractive summary: sentences taken from the transcript; no language model was used.)';

interface Sentence {
  readonly speaker: string;
  readonly text: string;
  /** What kind of sentence it is, by its look. */
  readonly cues: number;
  /** Whether it stands in a code fence, where short lines are brackets and commas. */
  readonly isCode: boolean;
}

interface Candidate extends Sentence {
  readonly terms: ReadonlySet<string>;
}

const MAX_SENTENCE = 400;
/** Fewer terms than this say too little to be worth a line while there are longer sentences. */
const FEWEST_TERMS = 3;
/** Lines longer than this are data; each piece of them is looked at by itself. */
const MAX_LINE = 4_000;
/** How many sentences are weighed by what they are about; of a longer transcript those with the strongest cues. */
const MOST_WEIGHED = 5_000;
/** A sentence of an earlier summary represents much more than itself. */
const FROM_SUMMARY = 1.5;
/** However often a line is repeated, as logs do, it weighs less than a decision. */
const MOST_BY_TOPIC = 1;
const BULLET = /^\s*(?:[-*•]|\d+\.)\s+/;
const FENCE = /^\s*(?:```|~~~)/;
const ONLY_MARKUP = /^[-=`~|#>*_\s]*$/;

/** Empty when the transcript says nothing. */
export function summarizeExtractively(
  transcript: string | readonly Utterance[],
  { maxTokens }: ExtractiveOptions,
): string {
  const utterances =
    typeof transcript === 'string' ? utterancesIn(transcript) : transcript.map(withToolsInWords);
  const sentences = strongest(utterances.flatMap(sentencesOf));
  const candidates = sentences.map(
    (sentence): Candidate => ({ ...sentence, terms: new Set(analyze(sentence.text)) }),
  );
  const worded = candidates.filter(
    ({ cues, terms, isCode }) => cues >= 0 && (!isCode || terms.size >= FEWEST_TERMS),
  );
  // A transcript of nothing but courtesies is better kept in part than not at all.
  const lines = choose(worded.length > 0 ? worded : candidates, maxTokens - estimateTokens(EXTRACTIVE_LABEL));
  return lines.length === 0 ? '' : [EXTRACTIVE_LABEL, ...lines].join('\n');
}

/** The weightiest first, as long as there is room, short answers last; then back into their order. */
function choose(candidates: readonly Candidate[], budget: number): string[] {
  const weights = weigh(candidates);
  const isShort = (i: number): number => Number(candidates[i]!.terms.size < FEWEST_TERMS);
  const order = candidates
    .map((_, i) => i)
    .sort((a, b) => isShort(a) - isShort(b) || weights[b]! - weights[a]! || a - b);
  const chosen: number[] = [];
  const said = new Set<string>();
  let left = budget;
  for (const i of order) {
    const gist = [...candidates[i]!.terms].sort().join(' ');
    const cost = estimateTokens(`${lineOf(candidates[i]!)}\n`);
    if (cost > left || said.has(gist)) continue;
    said.add(gist);
    left -= cost;
    chosen.push(i);
  }
  return chosen.sort((a, b) => a - b).map((i) => lineOf(candidates[i]!));
}

const lineOf = ({ speaker, text }: Sentence): string =>
  speaker === '' ? `- ${text}` : `- ${speaker}: ${text}`;

/** One locale for all, so that the same transcript has the same summary everywhere. */
const LOCALE = 'en';
/** Made when it is first needed: to load its rules takes longer than most commands run. */
let segmenter: Intl.Segmenter | undefined;

/** A full stop after these ends no sentence; nor does one after a single capital letter, as in "J. Bach". */
const ABBREVIATION =
  /(?<!\p{L})(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|approx|No|Nr|Fig|z\. ?B|d\. ?h|bzw|ca|inkl)\.\s*$/u;

function split(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  segmenter ??= new Intl.Segmenter(LOCALE, { granularity: 'sentence' });
  for (const { segment } of segmenter.segment(text)) {
    open += segment;
    if (ABBREVIATION.test(segment)) continue;
    sentences.push(open.trim());
    open = '';
  }
  return open.trim() === '' ? sentences : [...sentences, open.trim()];
}

function sentencesOf({ speaker, text }: Utterance): Sentence[] {
  const isSummary = text.trimStart().startsWith(SUMMARY_MARK);
  const body = isSummary ? text.replace(SUMMARY_MARK, '').replace(EXTRACTIVE_LABEL, '') : text;
  const out: Sentence[] = [];
  let isCode = false;
  for (const line of body.split('\n').flatMap(pieces)) {
    if (FENCE.test(line)) isCode = !isCode;
    if (ONLY_MARKUP.test(line)) continue;
    const bare = line.replace(BULLET, '');
    // The lines of an earlier extract name those who said them.
    const said = isSummary ? splitSpeaker(bare) : { speaker, text: bare };
    for (const whole of split(said.text)) {
      const sentence = cut(whole);
      if (ONLY_MARKUP.test(sentence)) continue;
      out.push({
        speaker: said.speaker || speaker,
        text: sentence,
        cues: cueWeight(sentence) + (isSummary ? FROM_SUMMARY : 0),
        isCode,
      });
    }
  }
  return out;
}

function pieces(line: string): string[] {
  if (line.length <= MAX_LINE) return [line];
  const out: string[] = [];
  for (let start = 0; start < line.length; ) {
    let end = Math.min(line.length, start + MAX_LINE);
    if (isInsideCharacter(line, end)) end--;
    out.push(line.slice(start, end));
    start = end;
  }
  return out;
}

function cut(sentence: string): string {
  if (sentence.length <= MAX_SENTENCE) return sentence;
  const end = isInsideCharacter(sentence, MAX_SENTENCE - 1) ? MAX_SENTENCE - 2 : MAX_SENTENCE - 1;
  return `${sentence.slice(0, end)}…`;
}

/** Whether a cut here would split a surrogate pair. */
function isInsideCharacter(text: string, at: number): boolean {
  return at > 0 && at < text.length && text.codePointAt(at - 1)! > 0xffff;
}

function strongest(sentences: readonly Sentence[]): readonly Sentence[] {
  if (sentences.length <= MOST_WEIGHED) return sentences;
  const order = sentences.map((_, i) => i).sort((a, b) => sentences[b]!.cues - sentences[a]!.cues || b - a);
  return order
    .slice(0, MOST_WEIGHED)
    .sort((a, b) => a - b)
    .map((i) => sentences[i]!);
}

/** What it is about (shared terms), what kind of sentence it is (cues), and where it stands. */
function weigh(candidates: readonly Candidate[]): number[] {
  const spread = new Map<string, number>();
  for (const { terms } of candidates) {
    for (const term of terms) spread.set(term, (spread.get(term) ?? 0) + 1);
  }
  const total = candidates.length;
  return candidates.map(({ terms, cues }, i) => {
    let about = 0;
    for (const term of terms) {
      const count = spread.get(term)!;
      const share = count / total;
      // Terms in many sentences are glue, terms in one are incidental; topics lie in between.
      if (count > 1) about += Math.log(1 / share) * Math.sqrt(share);
    }
    const newest = i / Math.max(1, total - 1);
    const first = i < 3 ? 0.5 : 0;
    return Math.min(MOST_BY_TOPIC, about / Math.sqrt(terms.size + 4)) + cues + first + 0.4 * newest;
  });
}
