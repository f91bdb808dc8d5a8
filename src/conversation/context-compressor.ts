/** Compacts a conversation by itself when it nears the context limit of its model. */
import { contextLengthOf } from '../kernel/context-length.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { Conversation } from './conversation.ts';
import type { CompactResult } from './conversation-options.ts';
import { summarizeExtractively } from './extractive.ts';
import { contentText } from './message.ts';
import { SUMMARY_SYSTEM, summaryPrompt } from './prompts.ts';
import { PRELOAD_MARK } from './start-up.ts';
import { countTokens, type TokenCount } from './token-count.ts';

export type CompressionPolicy = 'compactAll' | 'summarizeOlder' | 'window';

export interface ContextCompressorOptions {
  /** Part of the context window that must be in use. Default 0.9. */
  readonly threshold?: number;
  /** Default: that of the model. */
  readonly contextLength?: number;
  /** The model that the conversation is sent to; decides the window and the tokenizer. */
  readonly model?: string;
  /** What shrinks: everything into a summary, the older part into a summary, or the view. Default compactAll. */
  readonly policy?: CompressionPolicy;
  /** How many of the newest messages the policies summarizeOlder and window leave as they are. Default 10. */
  readonly keepLast?: number;
  /** Writes the summary; without one the most telling sentences are taken from the transcript. */
  readonly summarizer?: LanguageModel;
  readonly summarizerTemperature?: number;
  readonly summarizerMaxTokens?: number;
}

export interface Compression extends TokenCount {
  readonly limit: number;
  readonly threshold: number;
  readonly compressed: boolean;
  /** What the compaction did; absent when there was none, or when only the view shrank. */
  readonly result?: CompactResult;
  /** How the summary was made. */
  readonly summarizedBy?: string;
}

const DEFAULT_THRESHOLD = 0.9;
const DEFAULT_KEEP_LAST = 10;
const DEFAULT_SUMMARY_TOKENS = 2_000;

export class ContextCompressor {
  readonly threshold: number;
  readonly policy: CompressionPolicy;
  readonly #options: ContextCompressorOptions;

  constructor(options: ContextCompressorOptions = {}) {
    this.threshold = options.threshold ?? DEFAULT_THRESHOLD;
    if (!(this.threshold > 0 && this.threshold <= 1)) {
      throw new KeepsakeError(
        'INVALID_INPUT',
        `threshold must be above 0 and at most 1, not ${this.threshold}.`,
        {
          hint: 'It is the part of the context window that must be in use, for example 0.9.',
        },
      );
    }
    this.policy = options.policy ?? 'compactAll';
    this.#options = options;
  }

  /** How full the context is. */
  async measure(conversation: Conversation): Promise<TokenCount & { readonly limit: number }> {
    const model = this.#options.model ?? '';
    const limit = this.#options.contextLength ?? contextLengthOf(model).tokens;
    return { ...(await countTokens(await conversation.returnHistoryAsString(), model)), limit };
  }

  /** To be called at the top of each loop: compacts when the threshold is reached, and says what it saw. */
  async compressIfNeeded(conversation: Conversation): Promise<Compression> {
    const measured = await this.measure(conversation);
    const state = { ...measured, threshold: this.threshold };
    if (measured.tokens < this.threshold * measured.limit) return { ...state, compressed: false };
    const keepLast = this.policy === 'compactAll' ? 0 : (this.#options.keepLast ?? DEFAULT_KEEP_LAST);
    if (this.policy === 'window') {
      const dropped = await conversation.keepWindow(keepLast);
      return { ...state, compressed: dropped > 0 };
    }
    const { text, by } = await this.#summarize(await transcriptOf(conversation, keepLast));
    const result = await conversation.compact({ summary: text, keepLast, by: 'model' });
    return { ...state, compressed: true, result, summarizedBy: by };
  }

  async #summarize(transcript: string): Promise<{ readonly text: string; readonly by: string }> {
    const { summarizer, summarizerTemperature, summarizerMaxTokens = DEFAULT_SUMMARY_TOKENS } = this.#options;
    if (summarizer === undefined) {
      return {
        text: summarizeExtractively(transcript, { maxTokens: summarizerMaxTokens }),
        by: 'extractive',
      };
    }
    const { text } = await summarizer.generate({
      system: SUMMARY_SYSTEM,
      prompt: summaryPrompt(transcript),
      maxTokens: summarizerMaxTokens,
      ...(summarizerTemperature === undefined ? {} : { temperature: summarizerTemperature }),
    });
    return { text, by: summarizer.id };
  }
}

/** What is to be summarised: the loaded MEMORY.md and the turns, without prompt and rules, which stay as they are. */
async function transcriptOf(conversation: Conversation, keepLast: number): Promise<string> {
  const messages = await conversation.messages();
  const preload = messages.find(({ id }) => id === 'static_preload');
  const turns = await conversation.turns();
  const older = keepLast > 0 ? turns.slice(0, -keepLast) : turns;
  const past = preload === undefined ? [] : [contentText(preload.content).slice(PRELOAD_MARK.length).trim()];
  return [...past, ...older.map(({ role, content }) => `${role}: ${contentText(content)}`)].join('\n\n');
}
