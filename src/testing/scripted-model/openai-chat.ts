/** OpenAI's chat completions, which most other servers speak as well. */
import { defined } from '../../kernel/defined.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ChatMessage, ChatPart } from '../../ports/language-model.ts';
import { type Answer, type Format, frame, halves, parsed } from './script.ts';

interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface WireMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
}

interface WireTool {
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: JsonObject;
  };
}

interface WireRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages?: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

const textOf = (content: WireMessage['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** The name of a tool is only with its call, so it is looked up for the result. */
function messageFrom(message: WireMessage, names: Map<string, string>): ChatMessage {
  const { role, content, tool_calls: calls = [], tool_call_id: id = '' } = message;
  const text = textOf(content);
  if (role === 'tool') {
    const result = { type: 'toolResult', id, name: names.get(id) ?? '', result: text } as const;
    return { role: 'tool', content: [result] };
  }
  if (role !== 'assistant') return { role: role === 'user' ? 'user' : 'system', content: text };
  if (calls.length === 0) return { role, content: text };
  const parts: ChatPart[] = text === '' ? [] : [{ type: 'text', text }];
  for (const { id: callId, function: called } of calls) {
    names.set(callId, called.name);
    parts.push({ type: 'toolCall', id: callId, name: called.name, arguments: parsed(called.arguments) });
  }
  return { role, content: parts };
}

const REASONS = { stop: 'stop', toolCalls: 'tool_calls', length: 'length' } as const;

const usageOf = ({ usage: { inputTokens, outputTokens } }: Answer) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

export const openAiChat: Format = {
  name: 'openai-chat',
  path: /\/chat\/completions$/,
  read(body) {
    const wire = body as unknown as WireRequest;
    const names = new Map<string, string>();
    const maxTokens = wire.max_completion_tokens ?? wire.max_tokens;
    return {
      model: wire.model,
      stream: wire.stream === true,
      messages: (wire.messages ?? []).map((message) => messageFrom(message, names)),
      tools: (wire.tools ?? []).map(({ function: { name, description = '', parameters } }) => ({
        name,
        description,
        parameters,
      })),
      ...defined({ temperature: wire.temperature, maxTokens }),
    };
  },
  whole(answer) {
    const { id, model, pieces, toolCalls, finish } = answer;
    const calls = toolCalls.map(({ id: callId, ...called }) => ({
      id: callId,
      type: 'function',
      function: called,
    }));
    const message = {
      role: 'assistant',
      content: pieces.length === 0 ? null : pieces.join(''),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason: REASONS[finish] }];
    return { id, object: 'chat.completion', created: 0, model, choices, usage: usageOf(answer) };
  },
  frames(answer) {
    const { id, model, pieces, toolCalls, finish } = answer;
    const head = { id, object: 'chat.completion.chunk', created: 0, model };
    const chunk = (delta: unknown, reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    return [
      frame(chunk({ role: 'assistant', content: '' })),
      ...pieces.map((content) => frame(chunk({ content }), { isPiece: true })),
      ...toolCalls.flatMap(({ id: callId, name, arguments: json }, index) => [
        frame(
          chunk({ tool_calls: [{ index, id: callId, type: 'function', function: { name, arguments: '' } }] }),
          { isPiece: true },
        ),
        ...halves(json).map((half) =>
          frame(chunk({ tool_calls: [{ index, function: { arguments: half } }] }), { isPiece: true }),
        ),
      ]),
      frame(chunk({}, REASONS[finish])),
      frame({ ...head, choices: [], usage: usageOf(answer) }),
      frame('[DONE]'),
    ];
  },
  failure: (message) => frame({ error: { message, type: 'server_error', param: null, code: null } }),
  refusal: (status, message) => ({
    error: { message, type: 'scripted_error', param: null, code: String(status) },
  }),
};
