/** What a scripted model is told to do, and what it writes down about every request. */
import type { ChatMessage, ToolSpec, Usage } from '../../ports/language-model.ts';

export type ScriptedFormat = 'openai-chat' | 'openai-responses' | 'anthropic' | 'google';

export interface ScriptedRequest {
  readonly format: ScriptedFormat;
  readonly path: string;
  readonly model: string;
  readonly stream: boolean;
  /** The whole conversation in one form, whatever the format; system messages included. */
  readonly messages: readonly ChatMessage[];
  /** Text of the last user message. */
  readonly prompt: string;
  readonly tools: readonly ToolSpec[];
  /** `none`: it was told of the tools and must answer in words. */
  readonly toolChoice?: 'none';
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Those that hold a key have the value "***". */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ScriptedToolCall {
  readonly name: string;
  /** A text is sent as it is, so it may be broken JSON. */
  readonly arguments?: unknown;
  readonly id?: string;
}

export interface ScriptedAnswer {
  /** A list is streamed piece by piece; a text, word by word. */
  readonly text?: string | readonly string[];
  /** An answer that is JSON. */
  readonly json?: unknown;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Why it ends, if not because it is done. */
  readonly finish?: 'length';
  /** Otherwise a guess from the number of characters. */
  readonly usage?: Usage;
  /** Before the first byte. */
  readonly delayMs?: number;
  /** The connection breaks after so many pieces of the answer. */
  readonly cutAfter?: number;
  /** The response ends properly after so many pieces, as if it were complete. */
  readonly endAfter?: number;
  /** The server reports an error of its own after so many pieces, inside a stream that began well. */
  readonly failAfter?: number;
  /** Nothing more comes after so many pieces, and the connection stays open. */
  readonly hangAfter?: number;
}

export type ScriptedFault =
  | {
      readonly status: number;
      /** In seconds. */
      readonly retryAfter?: number;
      readonly message?: string;
      readonly delayMs?: number;
    }
  /** No answer at all, until the caller gives up. */
  | { readonly hang: true };

/** A plain text is an answer of that text. */
export type ScriptedReply = string | ScriptedAnswer | ScriptedFault;

/** One reply for each request in turn, or a function that decides. */
export type Script =
  | readonly ScriptedReply[]
  | ((request: ScriptedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);

/** An answer with everything decided, ready to be put into a format. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly pieces: readonly string[];
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finish: 'stop' | 'toolCalls' | 'length';
  readonly usage: Usage;
}

/** One event of a stream, as it goes over the wire. */
export interface Frame {
  readonly text: string;
  /** Whether it carries something of the answer. */
  readonly isPiece: boolean;
}

export type ReadRequest = Omit<ScriptedRequest, 'format' | 'path' | 'headers' | 'body' | 'prompt'>;

export interface Format {
  readonly name: ScriptedFormat;
  /** Matched against the path without the query. */
  readonly path: RegExp;
  read(body: Readonly<Record<string, unknown>>, path: string): ReadRequest;
  /** The answer in one piece. */
  whole(answer: Answer): unknown;
  frames(answer: Answer): Frame[];
  /** An error in the middle of a stream. */
  failure(message: string): Frame;
  refusal(status: number, message: string): unknown;
}

/** Two halves, so that whoever reads a stream has to put them together. */
export const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
};

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** An event of a stream; `isPiece` when it carries something of the answer. */
export function frame(
  data: unknown,
  { event, isPiece = false }: { event?: string; isPiece?: boolean } = {},
): Frame {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { text: `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`, isPiece };
}
