/** Compacts a conversation automatically when it nears the context limit of its model. */
import { contextLengthOf } from '../../kernel/context-length.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import type { Conversation } from '../conversation.ts';
import type { CompactResult } from '../conversation-options.ts';
import { openPrompt } from '../window/history-window.ts';
import { type Summarizable, summarizable, summarize } from './summarize.ts';
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
  /** How freely the summarizer writes. Default: that of the model. */
  readonly summarizerTemperature?: number;
  /** Longest summary, in tokens. Default 2000, and at most a quarter of the window. */
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
const SHORTEST_SUMMARY_TOKENS = 100;

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

  /**
   * To be called at the top of each loop: compacts when the threshold is reached, and says what it saw. The prompt that
   * waits for its answer stays word for word, so that what is sent next begins with a user's turn; `keep` names the
   * prompts of other sessions.
   */
  async compressIfNeeded(
    conversation: Conversation,
    { keep = [] }: { readonly keep?: readonly string[] } = {},
  ): Promise<Compression> {
    const measured = await this.measure(conversation);
    const state = { ...measured, threshold: this.threshold };
    if (!this.#isFull(measured)) return { ...state, compressed: false };
    const keepLast = this.policy === 'compactAll' ? 0 : (this.#options.keepLast ?? DEFAULT_KEEP_LAST);
    if (this.policy === 'window') return { ...state, compressed: await this.#narrow(conversation, keepLast) };
    const prompt = openPrompt(await conversation.turns(), conversation.agent);
    const staying = new Set([...keep, ...(prompt === undefined ? [] : [prompt.id])]);
    const { utterances, covers, worthwhile } = await this.#older(conversation, keepLast, staying);
    if (!worthwhile) return { ...state, compressed: false };
    const { summarizer: model, summarizerTemperature: temperature } = this.#options;
    // A summary that filled the window again would be of no use.
    const most = Math.max(SHORTEST_SUMMARY_TOKENS, Math.floor(measured.limit / 4));
    const maxTokens = this.#options.summarizerMaxTokens ?? Math.min(DEFAULT_SUMMARY_TOKENS, most);
    const { text, by } = await summarize(utterances, { model, temperature, maxTokens });
    const result = await conversation.compact({ summary: text, covers, by: 'model' });
    return { ...state, compressed: true, result, summarizedBy: by };
  }

  #isFull({ tokens, limit }: { readonly tokens: number; readonly limit: number }): boolean {
    return tokens >= this.threshold * limit;
  }

  /** Few long messages may fill the window by themselves; then fewer of them stay. */
  async #older(
    conversation: Conversation,
    keepLast: number,
    keep: ReadonlySet<string>,
  ): Promise<Summarizable> {
    for (let count = keepLast; ; count = Math.floor(count / 2)) {
      const found = await summarizable(conversation, count, keep);
      if (found.worthwhile || count === 0) return found;
    }
  }

  async #narrow(conversation: Conversation, keepLast: number): Promise<boolean> {
    let dropped = 0;
    for (let count = keepLast; count > 0; count = Math.floor(count / 2)) {
      dropped += await conversation.keepWindow(count);
      if (!this.#isFull(await this.measure(conversation))) break;
    }
    return dropped > 0;
  }
}
