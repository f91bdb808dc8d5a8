/** Chooses what of a conversation is summarised, and writes the summary: with a model, or by extracting sentences. */

import { contextLengthOf } from '../../kernel/context-length.ts';
import { defined } from '../../kernel/defined.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import type { Conversation } from '../conversation.ts';
import { type ConversationMessage, contentText, isSummary } from '../messages/message.ts';
import { historyWindow } from '../window/history-window.ts';
import { PRELOAD_ID } from '../window/leading-messages.ts';
import { LEFT_OUT, PRELOAD_MARK } from '../window/start-up.ts';
import { summarizeExtractively } from './extractive-summary.ts';
import { SUMMARY_SYSTEM, summaryPrompt } from './prompts.ts';
import { SUMMARY_MARK } from './summary-check.ts';
import { type Utterance, utterancesIn } from './utterances.ts';

export interface Summarizable {
  /** Without the prompt and the rules, which stay as they are. */
  readonly utterances: readonly Utterance[];
  /** Ids of the messages that a summary of them stands for. */
  readonly covers: readonly string[];
  /** False when there is nothing but an earlier summary, which would only be summarised again. */
  readonly worthwhile: boolean;
}

/** The loaded MEMORY.md and the turns, but for the newest `keepLast` and those with the ids in `keep`. */
export async function summarizable(
  conversation: Conversation,
  keepLast: number,
  keep: ReadonlySet<string> = new Set(),
): Promise<Summarizable> {
  const preload = (await conversation.messages()).find(({ id }) => id === PRELOAD_ID);
  const history = await conversation.turns();
  const kept = new Set(historyWindow(history, keepLast, conversation.agent));
  const covered = history.filter((message) => !kept.has(message) && !keep.has(message.id));
  const loaded = preload === undefined ? [] : loadedUtterances(preload);
  return {
    utterances: [...loaded, ...covered.map(asUtterance)],
    covers: covered.map(({ id }) => id),
    worthwhile: !loaded.every(holdsSummary) || !covered.every(isSummary),
  };
}

const holdsSummary = ({ text }: Utterance): boolean => text.trimStart().startsWith(SUMMARY_MARK);

const asUtterance = ({ role, content }: ConversationMessage): Utterance => ({
  speaker: role,
  text: contentText(content),
});

const loadedUtterances = ({ content }: ConversationMessage): Utterance[] =>
  utterancesIn(contentText(content).slice(PRELOAD_MARK.length).trimStart()).filter(
    ({ text }) => text !== '' && !LEFT_OUT.test(text),
  );

export interface SummarizerOptions {
  /** Without one the most telling sentences are taken from the transcript. */
  readonly model?: LanguageModel | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens: number;
}

/** Of a model's window, what a transcript may fill: estimates err, and the instructions need room too. */
const FILLED = 0.7;

export async function summarize(
  utterances: readonly Utterance[],
  { model, temperature, maxTokens }: SummarizerOptions,
): Promise<{ readonly text: string; readonly by: string }> {
  if (model === undefined)
    return { text: summarizeExtractively(utterances, { maxTokens }), by: 'extractive' };
  const room = contextLengthOf(model.id).tokens * FILLED - maxTokens;
  const parts = partsWithin(utterances, Math.max(room, maxTokens));
  const texts: string[] = [];
  for (const part of parts) {
    const { text } = await model.generate({
      system: SUMMARY_SYSTEM,
      prompt: summaryPrompt(part),
      maxTokens: Math.ceil(maxTokens / parts.length),
      ...defined({ temperature }),
    });
    texts.push(text);
  }
  // A part without a summary would be lost, so the whole summary is refused.
  const isComplete = texts.every((text) => text.trim() !== '');
  return { text: isComplete ? texts.join('\n\n') : '', by: model.id };
}

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
