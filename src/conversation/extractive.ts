/** A summary without a language model: the most telling sentences of a transcript, in their order, within a budget. */
import { analyze } from '../kernel/analysis.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import { parseTranscript } from './formats/memory-md.ts';
import { CUES } from './salience-cues.ts';
import { SUMMARY_MARK } from './summary-check.ts';

export interface ExtractiveOptions {
  /** Longest summary, in estimated tokens. */
  readonly maxTokens: number;
}

/** Says what it is, so that nobody takes it for an understanding of the conversation. */
export const EXTRACTIVE_LABEL =
  '(Extractive summary: sentences taken from the transcript; no language model was used.)';

interface Sentence {
  readonly speaker: string;
  readonly text: string;
  readonly terms: readonly string[];
  readonly position: number;
  /** Taken from a summary made earlier: it already stands for much more than itself. */
  readonly fromSummary: boolean;
}

const MAX_SENTENCE = 400;
const SHORTEST_SENTENCE = 3;
/** A transcript of this many sentences is weighed in a moment; of a longer one the middle is thinned out evenly. */
const MAX_SENTENCES = 20_000;
const SPEAKER = /^([\p{L}\p{N}_. -]{1,64}): /u;

export function summarizeExtractively(transcript: string, { maxTokens }: ExtractiveOptions): string {
  const sentences = thin(collect(transcript));
  const weights = weigh(sentences);
  const order = sentences.map((_, i) => i).sort((a, b) => weights[b]! - weights[a]! || a - b);
  let budget = maxTokens - estimateTokens(EXTRACTIVE_LABEL);
  const chosen: number[] = [];
  const said = new Set<string>();
  for (const i of order) {
    const { speaker, text, terms } = sentences[i]!;
    const gist = [...new Set(terms)].sort().join(' ');
    const cost = estimateTokens(`- ${speaker}: ${text}\n`);
    if (cost > budget || said.has(gist)) continue;
    said.add(gist);
    budget -= cost;
    chosen.push(i);
  }
  const lines = chosen.sort((a, b) => a - b).map((i) => line(sentences[i]!));
  return [EXTRACTIVE_LABEL, ...lines].join('\n');
}

const line = ({ speaker, text }: Sentence): string =>
  speaker === '' ? `- ${text}` : `- ${speaker}: ${text}`;

/** Turns with their speakers, from MEMORY.md blocks and from "Role: text" paragraphs alike. */
function* turns(transcript: string): Generator<{ speaker: string; text: string }> {
  const { header, blocks } = parseTranscript(transcript);
  if (blocks.length === 0) yield* paragraphs(transcript);
  else yield* paragraphs(header.raw.startsWith('# Agent Memory') ? '' : header.raw);
  for (const [i, block] of blocks.entries()) {
    // What follows the file in a prompt ends up in its last block.
    if (i < blocks.length - 1) yield { speaker: block.role, text: block.text };
    else yield* lastBlock(block.role, block.text);
  }
}

function* lastBlock(role: string, text: string): Generator<{ speaker: string; text: string }> {
  const [own = '', ...rest] = text.split(/\n\n---\n+/);
  yield { speaker: role, text: own };
  yield* paragraphs(rest.join('\n\n'));
}

function* paragraphs(text: string): Generator<{ speaker: string; text: string }> {
  let speaker = '';
  for (const paragraph of text.split(/\n{2,}/)) {
    const match = SPEAKER.exec(paragraph);
    if (match !== null) speaker = match[1]!;
    yield { speaker, text: match === null ? paragraph : paragraph.slice(match[0].length) };
  }
}

function collect(transcript: string): Sentence[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const out: Sentence[] = [];
  for (const { speaker, text } of turns(transcript)) {
    const fromSummary = text.includes(SUMMARY_MARK);
    for (const piece of text.replace(SUMMARY_MARK, '').split('\n')) {
      // An earlier extract is made of lines like ours; its label and bullets are not part of what was said.
      const clean = piece.replace(EXTRACTIVE_LABEL, '').replace(/^\s*(?:[-*•]|\d+\.)\s+/, '');
      for (const { segment } of segmenter.segment(clean)) {
        const sentence = segment.trim();
        const terms = analyze(sentence);
        if (terms.length < SHORTEST_SENTENCE || /^[-=`~|#>\s]+$/.test(sentence)) continue;
        out.push({ speaker, text: cut(sentence), terms, position: out.length, fromSummary });
      }
    }
  }
  return out;
}

/** Cuts between characters, never inside one. */
function cut(sentence: string): string {
  const characters = [...sentence];
  return characters.length <= MAX_SENTENCE ? sentence : `${characters.slice(0, MAX_SENTENCE - 1).join('')}…`;
}

function thin(sentences: Sentence[]): Sentence[] {
  if (sentences.length <= MAX_SENTENCES) return sentences;
  const step = sentences.length / MAX_SENTENCES;
  return Array.from({ length: MAX_SENTENCES }, (_, i) => sentences[Math.floor(i * step)]!);
}

/** What it is about (shared terms), what kind of sentence it is (cues), and where it stands. */
function weigh(sentences: readonly Sentence[]): number[] {
  const spread = new Map<string, number>();
  for (const { terms } of sentences) {
    for (const term of new Set(terms)) spread.set(term, (spread.get(term) ?? 0) + 1);
  }
  const total = sentences.length;
  return sentences.map((sentence, i) => {
    const distinct = new Set(sentence.terms);
    let about = 0;
    for (const term of distinct) {
      const share = spread.get(term)! / total;
      // Terms in many sentences are glue, terms in one are incidental; topics lie in between.
      about += spread.get(term)! > 1 ? Math.log(1 / share) * Math.sqrt(share) : 0;
    }
    const cues = CUES.reduce(
      (sum, { pattern, weight }) => sum + (pattern.test(sentence.text) ? weight : 0),
      0,
    );
    const newest = i / Math.max(1, total - 1);
    const first = i < 3 ? 0.5 : 0;
    return (
      about / Math.sqrt(distinct.size + 4) + cues + first + 0.4 * newest + (sentence.fromSummary ? 1.5 : 0)
    );
  });
}
