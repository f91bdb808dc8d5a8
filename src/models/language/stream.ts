/** Converts a provider's stream into our events; an incomplete stream is an error. */
import type { ChatEvent, Usage } from '../../ports/language-model.ts';
import type { SdkPart } from './sdk-model.ts';

type ToolCall = Extract<ChatEvent, { type: 'toolCall' }>;
type Finish = Extract<ChatEvent, { type: 'finish' }>;

interface TextDelta extends SdkPart {
  readonly delta: string;
}

interface ToolCallPart extends SdkPart {
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON, as the model wrote it. */
  readonly input: unknown;
  readonly providerExecuted?: boolean;
}

/** A number in v2; from v3 on an object that also says what was cached. */
type Count = number | undefined | { readonly total?: number | undefined };

interface FinishPart extends SdkPart {
  readonly usage?: { readonly inputTokens?: Count; readonly outputTokens?: Count };
  /** A word in v2. */
  readonly finishReason: string | { readonly unified: string; readonly raw?: string | undefined };
}

const numberIn = (count: Count): number => (typeof count === 'number' ? count : (count?.total ?? 0));

export function parseArguments(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  // Some models leave out the arguments of a tool that has none.
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Undefined when the provider gave no reason by itself: it then only noticed that nothing more came. */
function reasonIn({ finishReason }: FinishPart): Finish['reason'] | undefined {
  const { unified, raw } =
    typeof finishReason === 'string' ? { unified: finishReason, raw: undefined } : finishReason;
  switch (unified) {
    case 'stop':
      return 'stop';
    case 'tool-calls':
      return 'toolCalls';
    case 'length':
      return 'length';
    case 'error':
    case 'interrupted':
    case 'unknown':
      return undefined;
    case 'other':
      return raw === undefined ? undefined : 'other';
    default:
      return 'other';
  }
}

/** Collects what must not be handed out before the end is known, and says what each part means. */
export class StreamReader {
  readonly #calls: ToolCall[] = [];
  #finish: Finish | undefined;

  /** Text to hand out at once; undefined for any other part. Throws what the provider reports. */
  read(part: SdkPart): string | undefined {
    switch (part.type) {
      case 'text-delta': {
        const { delta } = part as TextDelta;
        return delta === '' ? undefined : delta;
      }
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input, providerExecuted = false } = part as ToolCallPart;
        if (!providerExecuted)
          this.#calls.push({ type: 'toolCall', id, name, arguments: parseArguments(input) });
        return undefined;
      }
      case 'finish':
        this.#finish = this.#finished(part as FinishPart);
        return undefined;
      case 'error':
        throw (part as SdkPart & { readonly error: unknown }).error;
      default:
        return undefined;
    }
  }

  /** The calls and the end; undefined when the stream was not complete, so that a half call is never acted upon. */
  end(): readonly ChatEvent[] | undefined {
    return this.#finish === undefined ? undefined : [...this.#calls, this.#finish];
  }

  #finished(part: FinishPart): Finish | undefined {
    const reason = reasonIn(part);
    if (reason === undefined) return undefined;
    const usage: Usage = {
      inputTokens: numberIn(part.usage?.inputTokens),
      outputTokens: numberIn(part.usage?.outputTokens),
    };
    // Some servers end a stream of tool calls with "stop".
    const called = reason === 'stop' && this.#calls.length > 0;
    return { type: 'finish', reason: called ? 'toolCalls' : reason, usage };
  }
}
