/** The shape of a language model of the AI SDK: what its specifications v2, v3 and v4 have in common. */
import type { JsonObject } from '../../kernel/json.ts';

export type SdkOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'error-text'; readonly value: string };

export interface SdkTextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface SdkToolCallPart {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface SdkToolResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: SdkOutput;
}

export type SdkMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: SdkTextPart[] }
  | { readonly role: 'assistant'; readonly content: (SdkTextPart | SdkToolCallPart)[] }
  | { readonly role: 'tool'; readonly content: SdkToolResultPart[] };

export interface SdkTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface SdkCall {
  readonly prompt: SdkMessage[];
  readonly tools?: SdkTool[];
  readonly toolChoice?: { readonly type: 'none' };
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly abortSignal: AbortSignal;
  readonly providerOptions?: Record<string, Record<string, boolean>>;
}

/** Parts of a stream; only those that are used are spelt out, and every other type is passed over. */
export interface SdkPart {
  readonly type: string;
}

/** A model that a package of the AI SDK made, or any object with these members. */
export interface SdkLanguageModel {
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<SdkPart> }>;
}

export function isSdkLanguageModel(value: unknown): value is SdkLanguageModel {
  if (typeof value !== 'object' || value === null) return false;
  const { provider, modelId, doStream } = value as Partial<SdkLanguageModel>;
  return typeof provider === 'string' && typeof modelId === 'string' && typeof doStream === 'function';
}
