/** Writes the summary of a conversation: with a model, in pieces if need be, or by extracting sentences. */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import { summarizeExtractively } from './extractive-summary.ts';
import { SUMMARY_SYSTEM, summaryPrompt } from './prompts.ts';
import { checkSummary } from './summary-check.ts';
import { withToolsInWords } from './tools-in-words.ts';
import type { Utterance } from './utterances.ts';

export interface SummarizerOptions {
  /** Without one the most informative sentences are taken from the transcript. */
  readonly model?: LanguageModel | undefined;
  /** Tokens that the model reads at once. */
  readonly window: number;
  readonly temperature?: number | undefined;
  readonly maxTokens: number;
}

export interface Summary {
  readonly text: string;
  /** Id of the model that wrote it, or `extractive`. */
  readonly by: string;
  /** Why the model did not write it. */
  readonly failure?: { readonly model: string; readonly code: string };
}

export const EXTRACTIVE = 'extractive';
/** Of a model's window, what a transcript may fill: estimates err, and the instructions need room too. */
const FILLED = 0.7;
/** Shorter pieces than this are not cut again: a model that refuses them refuses something else. */
const SHORTEST_PIECE = 500;
const SHORTEST_SUMMARY_TOKENS = 50;

/** If the model fails, or its summary is empty or too short for what it represents, sentences are extracted. */
export async function summarize(
  utterances: readonly Utterance[],
  { model, ...options }: SummarizerOptions,
): Promise<Summary> {
  const extract = (): string => summarizeExtractively(utterances, options);
  if (model === undefined) return { text: extract(), by: EXTRACTIVE };
  const told = utterances.map(withToolsInWords);
  try {
    const length = told.reduce((sum, { text }) => sum + text.length, 0);
    return { text: checkSummary(await askModel(told, model, options), length, 'model'), by: model.id };
  } catch (error) {
    const failure = { model: model.id, code: toKeepsakeError(error).code };
    return { text: extract(), by: EXTRACTIVE, failure };
  }
}

/** Empty when a part has no summary: that part would be lost, so the whole summary is refused. */
async function askModel(
  utterances: readonly Utterance[],
  model: LanguageModel,
  { window, temperature, maxTokens }: Omit<SummarizerOptions, 'model'>,
): Promise<string> {
  const parts = partsWithin(utterances, Math.max(window * FILLED - maxTokens, maxTokens));
  const share = Math.max(SHORTEST_SUMMARY_TOKENS, Math.ceil(maxTokens / parts.length));
  const condense = async (part: string): Promise<string[]> => {
    try {
      const { text } = await model.generate({
        system: SUMMARY_SYSTEM,
        prompt: summaryPrompt(part),
        maxTokens: share,
        ...defined({ temperature }),
      });
      return [text];
    } catch (error) {
      // The model reads less at once than we know.
      if (!isTooLarge(error) || part.length < SHORTEST_PIECE) throw error;
      const [first = '', second = ''] = pieces(part, Math.ceil(part.length / 2));
      return [...(await condense(first)), ...(await condense(second))];
    }
  };
  const texts: string[] = [];
  for (const part of parts) texts.push(...(await condense(part)));
  return texts.every((text) => text.trim() !== '') ? texts.join('\n\n') : '';
}

const isTooLarge = (error: unknown): boolean => KeepsakeError.is(error) && error.code === 'TOO_LARGE';

/** A cheap model may read less at once than the one whose conversation it condenses: then it gets it in parts. */
function partsWithin(utterances: readonly Utterance[], room: number): string[] {
  const parts: string[] = [];
  let open: string[] = [];
  let filled = 0;
  for (const text of utterances.flatMap((said) => pieces(`${said.speaker}: ${said.text}`, room))) {
    const cost = estimateTokens(text);
    if (open.length > 0 && filled + cost > room) {
      parts.push(open.join('\n\n'));
      open = [];
      filled = 0;
    }
    open.push(text);
    filled += cost;
  }
  return [...parts, open.join('\n\n')];
}

/** A single turn may be longer than a window; by this measure no character costs more than a token. */
function pieces(text: string, room: number): string[] {
  if (text.length <= room) return [text];
  const characters = [...text];
  const length = Math.floor(room);
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, i) =>
    characters.slice(i * length, (i + 1) * length).join(''),
  );
}
