/** Port: a language model: one answer to one prompt for memory's own needs, and a chat with tools for agents. */
import type { JsonObject } from '../kernel/json.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface GenerateRequest {
  readonly system?: string;
  readonly prompt: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

export interface Generated {
  readonly text: string;
  readonly usage?: Usage;
}

export interface LanguageModel {
  /** `provider/model`. */
  readonly id: string;
  generate(request: GenerateRequest): Promise<Generated>;
}

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: unknown }
  | {
      readonly type: 'toolResult';
      readonly id: string;
      readonly name: string;
      readonly result: string;
      readonly isError?: boolean;
    };

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly ChatPart[];
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: JsonObject;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  /** `none`: it is told of the tools, as earlier calls of them are in the messages, but must answer in words. */
  readonly toolChoice?: 'none';
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  /** Complete, with its arguments as JSON said; what could not be parsed comes as a string. */
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: unknown }
  /** Exactly once, last. */
  | {
      readonly type: 'finish';
      readonly reason: 'stop' | 'toolCalls' | 'length' | 'other';
      readonly usage: Usage;
    };

export interface ChatModel extends LanguageModel {
  /** The answer as it comes. Throws a KeepsakeError when it breaks off; then nothing was finished. */
  chat(request: ChatRequest): AsyncIterable<ChatEvent>;
}
