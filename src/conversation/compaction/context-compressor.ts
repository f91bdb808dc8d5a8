/** Compacts a conversation automatically when it nears the context limit of its model. */
import { contextLengthOf } from '../../kernel/context-length.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import type { Conversation } from '../conversation.ts';
import type { CompactResult } from '../conversation-options.ts';
import { asText } from '../messages/message-views.ts';
import { openPrompt } from '../window/history-window.ts';
import { shortenResults } from '../window/shorten-results.ts';
import { type Summarizable, summarizable } from './summarizable.ts';
import { EXTRACTIVE, type Summary, summarize } from './summarize.ts';
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
  /** The model that wrote the summary, or `extractive`. */
  readonly summarizedBy?: string;
  /** Why the model that should have written it did not. */
  readonly warning?: string;
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

  /** Tokens that the model of the conversation reads at once. */
  get contextLength(): number {
    return this.#options.contextLength ?? contextLengthOf(this.#options.model ?? '').tokens;
  }

  /** How full the context is: what `returnHistoryAsString()` says, with tool results as long as they are sent. */
  async measure(conversation: Conversation): Promise<TokenCount & { readonly limit: number }> {
    const limit = this.contextLength;
    const shortened = { window: limit, canReadOn: false };
    const sent = (await conversation.messages()).map((message) => shortenResults(message, shortened));
    return { ...(await countTokens(asText(sent), this.#options.model ?? '')), limit };
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
    const { result, summary } = await this.#compact(conversation, utterances, covers);
    const { by: summarizedBy, failure } = summary;
    const warning =
      failure === undefined
        ? undefined
        : `${failure.model} could not summarise the conversation (${failure.code}); sentences were taken from it instead.`;
    return { ...state, compressed: true, result, summarizedBy, ...defined({ warning }) };
  }

  /** A failed attempt is stored as an event, whether or not it could be made up for. */
  async #compact(
    conversation: Conversation,
    utterances: Summarizable['utterances'],
    covers: readonly string[],
  ): Promise<{ readonly result: CompactResult; readonly summary: Summary }> {
    const summary = await this.#summarize(utterances);
    const { text, by, failure } = summary;
    try {
      // An extract is never too short: it says all that there is room for.
      const checked = by === EXTRACTIVE ? 'hand' : 'model';
      const result = await conversation.compact({ summary: text, covers, by: checked });
      if (failure !== undefined)
        await conversation.reportFailedCompaction({ ...failure, fallback: EXTRACTIVE });
      return { result, summary };
    } catch (error) {
      const { model = null, code = toKeepsakeError(error).code } = failure ?? {};
      await conversation.reportFailedCompaction({ model, code, fallback: null });
      throw error;
    }
  }

  #summarize(utterances: Summarizable['utterances']): Promise<Summary> {
    const { summarizer: model, summarizerTemperature: temperature, summarizerMaxTokens } = this.#options;
    const limit = this.contextLength;
    // A summary that filled the window again would be of no use.
    const most = Math.max(SHORTEST_SUMMARY_TOKENS, Math.floor(limit / 4));
    const maxTokens = summarizerMaxTokens ?? Math.min(DEFAULT_SUMMARY_TOKENS, most);
    const isSame = model?.id === this.#options.model;
    const window = isSame ? limit : contextLengthOf(model?.id ?? '').tokens;
    return summarize(utterances, { model, temperature, maxTokens, window });
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
