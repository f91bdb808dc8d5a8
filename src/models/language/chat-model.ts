/** A chat model on top of any AI SDK model: streaming, tools, timeouts, and our error codes. */

import { type Clock, systemClock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import type {
  ChatEvent,
  ChatMessage,
  ChatModel,
  ChatRequest,
  Generated,
  GenerateRequest,
  Usage,
} from '../../ports/language-model.ts';
import { explainFailure, explainReported, type FailureContext, incomplete } from './failures.ts';
import { toSdkPrompt, toSdkTools } from './prompt.ts';
import { beforeNextAttempt, type Failure } from './retrying.ts';
import type { SdkCall, SdkLanguageModel, SdkPart } from './sdk-model.ts';
import { StreamReader } from './stream.ts';
import { abortedError, Watch, watchedBy } from './watch.ts';

/** How patient a model is. */
export interface Patience {
  /** How long nothing at all may come; a long answer that keeps coming is never cut. */
  readonly timeoutMs?: number | undefined;
  /** How many times a call is made again, as long as nothing of an answer was handed out. */
  readonly retries?: number | undefined;
  readonly backoffMs?: number | undefined;
  readonly random?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
}

export interface ChatModelOptions extends Patience, Omit<FailureContext, 'clock'> {
  /** Called once, when the model is first needed. */
  readonly open: () => Promise<SdkLanguageModel>;
  /** Whether the provider takes system messages in the middle of a conversation; else they are put together. */
  readonly systemAnywhere?: boolean | undefined;
  readonly providerOptions?: SdkCall['providerOptions'];
}

/** Why an attempt ended, carried to where attempts are counted. */
class AttemptFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

class SdkChatModel implements ChatModel {
  readonly id: string;
  readonly #options: ChatModelOptions;
  #opened: Promise<SdkLanguageModel> | undefined;

  constructor(options: ChatModelOptions) {
    this.id = options.id;
    this.#options = options;
  }

  async *chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    const { retries = 3, backoffMs = 500, random } = this.#options;
    let maxTokens = request.maxTokens;
    for (let failures = 0; ; failures++) {
      let handedOut = false;
      try {
        for await (const event of this.#attempt({ ...request, ...defined({ maxTokens }) })) {
          handedOut = true;
          yield event;
        }
        return;
      } catch (thrown) {
        if (!(thrown instanceof AttemptFailed)) throw thrown;
        if (handedOut) throw thrown.failure.error;
        const { roomTokens } = thrown.failure;
        if (roomTokens !== undefined && roomTokens < (maxTokens ?? Number.POSITIVE_INFINITY)) {
          maxTokens = roomTokens;
          continue;
        }
        await beforeNextAttempt(thrown.failure, failures, { retries, backoffMs, random }, request.signal);
      }
    }
  }

  async generate({ system, prompt, ...rest }: GenerateRequest): Promise<Generated> {
    const messages: ChatMessage[] = [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content: prompt },
    ];
    let text = '';
    let usage: Usage = { inputTokens: 0, outputTokens: 0 };
    for await (const event of this.chat({ messages, ...rest })) {
      if (event.type === 'text') text += event.text;
      if (event.type === 'finish') usage = event.usage;
    }
    return { text, usage };
  }

  async *#attempt(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    const { timeoutMs = 120_000, clock = systemClock } = this.#options;
    const { signal } = request;
    if (signal?.aborted) throw abortedError(signal.reason);
    const watch = new Watch(this.id, timeoutMs, signal);
    const context = { ...this.#options, clock };
    const fail = (thrown: unknown): never => {
      throw new AttemptFailed(explainFailure(thrown, context));
    };
    const next = <T>(step: PromiseLike<T>): Promise<T> => watch.wait(step).catch(fail);
    try {
      // Loading a package takes its time, which is not the silence of a model.
      const model = await this.#model().catch(fail);
      const { stream } = await next(watchedBy(watch, () => this.#ask(model, request, watch.signal)));
      const reader = stream.getReader();
      const answer = new StreamReader();
      for (;;) {
        const { done, value } = await next(reader.read());
        if (done) break;
        let text: string | undefined;
        try {
          text = answer.read(value as SdkPart);
        } catch (thrown) {
          throw new AttemptFailed(explainReported(thrown, context));
        }
        if (text !== undefined) yield { type: 'text', text };
      }
      const end = answer.end();
      if (end === undefined) throw new AttemptFailed(incomplete(this.id));
      yield* end;
    } finally {
      watch.end();
    }
  }

  #model(): Promise<SdkLanguageModel> {
    this.#opened ??= this.#options.open().catch((error: unknown) => {
      // The package may be installed while the process continues.
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #ask(model: SdkLanguageModel, request: ChatRequest, abortSignal: AbortSignal) {
    const { messages, tools = [], toolChoice, temperature, maxTokens } = request;
    const { systemAnywhere = false, providerOptions } = this.#options;
    const call: SdkCall = {
      prompt: toSdkPrompt(messages, systemAnywhere),
      abortSignal,
      ...(tools.length === 0 ? {} : { tools: toSdkTools(tools) }),
      ...(tools.length === 0 || toolChoice === undefined ? {} : { toolChoice: { type: toolChoice } }),
      ...defined({ temperature, maxOutputTokens: maxTokens, providerOptions }),
    };
    // The three specifications spell their options differently, and mean the same by these.
    return model.doStream(call as never);
  }
}

export function createChatModel(options: ChatModelOptions): ChatModel {
  return new SdkChatModel(options);
}

/** OpenAI and Azure, under whichever API of theirs. */
const SYSTEM_ANYWHERE = /^(openai|azure)(\.|$)/;

/** A model that the user made with a package of the AI SDK. */
export function adoptSdkModel(model: SdkLanguageModel, patience: Patience = {}): ChatModel {
  const [provider] = model.provider.split('.');
  return createChatModel({
    ...patience,
    id: `${provider}/${model.modelId}`,
    open: async () => model,
    systemAnywhere: SYSTEM_ANYWHERE.test(model.provider),
  });
}
