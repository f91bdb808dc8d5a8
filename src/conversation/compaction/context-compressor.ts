/** Compacts a conversation automatically when it nears the context limit of its model. */
import { contextLengthOf } from '../../kernel/context-length.ts';
import { defined } from '../../kernel/defined.ts';
import { toKeepsakeError } from '../../kernel/errors.ts';
import type { Conversation } from '../conversation.ts';
import type { CompactResult } from '../conversation-options.ts';
import { asText } from '../messages/message-views.ts';
import { openPrompt } from '../window/history-window.ts';
import { shortenResults } from '../window/shorten-results.ts';
import {
  type CompressionPolicy,
  type ContextCompressorOptions,
  checkCompressorOptions,
  DEFAULT_THRESHOLD,
  type DecidedOptions,
  decideOptions,
} from './compressor-options.ts';
import { type Summarizable, summarizable } from './summarizable.ts';
import { EXTRACTIVE, type Summary, summarize } from './summarize.ts';
import { countTokens, type TokenCount } from './token-count.ts';

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

/** Of what may be filled, the part that messages may keep after a compaction: summary and next steps need the rest. */
const MOST_STAYING = 0.5;

export class ContextCompressor {
  /** Default 0.9. */
  readonly threshold: number;
  /** Default compactAll. */
  readonly policy: CompressionPolicy;
  readonly #own: ContextCompressorOptions;
  /** Opened once for each conversation: a model that is opened twice is asked for its key twice. */
  readonly #decided = new WeakMap<Conversation, DecidedOptions>();

  constructor(options: ContextCompressorOptions = {}) {
    checkCompressorOptions(options);
    this.threshold = options.threshold ?? DEFAULT_THRESHOLD;
    this.policy = options.policy ?? 'compactAll';
    this.#own = { ...options };
  }

  /** Tokens that the model of the conversation reads at once. */
  contextLengthFor(conversation: Conversation): number {
    return this.#optionsFor(conversation).contextLength;
  }

  /** How full the context is: what `returnHistoryAsString()` says, with tool results as long as they are sent. */
  async measure(conversation: Conversation): Promise<TokenCount & { readonly limit: number }> {
    const { contextLength: limit, model } = this.#optionsFor(conversation);
    const shortened = { window: limit, canReadOn: false };
    const sent = (await conversation.messages()).map((message) => shortenResults(message, shortened));
    return { ...(await countTokens(asText(sent), model)), limit };
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
    const state = await this.#state(conversation);
    return isFull(state) ? this.#compress(conversation, keep, state) : { ...state, compressed: false };
  }

  /** Compacts now, however full the context is; `compressed` is false when there is nothing to summarise. */
  async compress(conversation: Conversation): Promise<Compression> {
    return this.#compress(conversation, [], await this.#state(conversation));
  }

  async #state(conversation: Conversation): Promise<Omit<Compression, 'compressed'>> {
    const { threshold } = this.#optionsFor(conversation);
    return { ...(await this.measure(conversation)), threshold };
  }

  async #compress(
    conversation: Conversation,
    keep: readonly string[],
    state: Omit<Compression, 'compressed'>,
  ): Promise<Compression> {
    const { policy, keepLast } = this.#optionsFor(conversation);
    if (policy === 'window') return { ...state, compressed: await this.#narrow(conversation, keepLast) };
    const prompt = openPrompt(await conversation.turns(), conversation.agent);
    const staying = new Set([...keep, ...(prompt === undefined ? [] : [prompt.id])]);
    const { utterances, covers, worthwhile } = await this.#older(
      conversation,
      policy === 'compactAll' ? 0 : keepLast,
      staying,
    );
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
    const summary = await this.#summarize(conversation, utterances);
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

  #summarize(conversation: Conversation, utterances: Summarizable['utterances']): Promise<Summary> {
    const { summarizer, model, contextLength, ...options } = this.#optionsFor(conversation);
    const isSame = summarizer?.id === model;
    const window = isSame ? contextLength : contextLengthOf(summarizer?.id ?? '').tokens;
    return summarize(utterances, { ...options, model: summarizer, window });
  }

  #optionsFor(conversation: Conversation): DecidedOptions {
    const decided =
      this.#decided.get(conversation) ?? decideOptions(this.#own, conversation.compression ?? {});
    this.#decided.set(conversation, decided);
    return decided;
  }

  /** Few long messages may fill the window by themselves, such as results of tools; then fewer of them stay. */
  async #older(
    conversation: Conversation,
    keepLast: number,
    keep: ReadonlySet<string>,
  ): Promise<Summarizable> {
    for (let count = keepLast; ; count = Math.floor(count / 2)) {
      const found = await summarizable(conversation, count, keep);
      if (count === 0 || (found.worthwhile && (await this.#leavesRoom(conversation, found)))) return found;
    }
  }

  async #leavesRoom(conversation: Conversation, { covers }: Summarizable): Promise<boolean> {
    const { contextLength: window, threshold, model } = this.#optionsFor(conversation);
    const covered = new Set(covers);
    const staying = (await conversation.turns()).filter(({ id }) => !covered.has(id));
    const sent = staying.map((message) => shortenResults(message, { window, canReadOn: false }));
    return (await countTokens(asText(sent), model)).tokens <= MOST_STAYING * threshold * window;
  }

  async #narrow(conversation: Conversation, keepLast: number): Promise<boolean> {
    let dropped = 0;
    for (let count = keepLast; count > 0; count = Math.floor(count / 2)) {
      dropped += await conversation.keepWindow(count);
      const measured = await this.measure(conversation);
      if (!isFull({ ...measured, threshold: this.#optionsFor(conversation).threshold })) break;
    }
    return dropped > 0;
  }
}

function isFull(state: {
  readonly tokens: number;
  readonly limit: number;
  readonly threshold: number;
}): boolean {
  return state.tokens >= state.threshold * state.limit;
}
