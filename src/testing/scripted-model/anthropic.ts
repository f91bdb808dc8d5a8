/** Anthropic's messages. */
import { defined } from '../../kernel/defined.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ChatMessage, ChatPart } from '../../ports/language-model.ts';
import { type Format, type Frame, frame, halves, parsed } from './script.ts';

interface WireBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: string | readonly WireBlock[];
  readonly is_error?: boolean;
}

interface WireRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly system?: string | readonly WireBlock[];
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly WireBlock[] }[];
  readonly tools?: readonly { name: string; description?: string; input_schema?: JsonObject }[];
  readonly temperature?: number;
  readonly max_tokens?: number;
}

const textOf = (content: string | readonly WireBlock[] = ''): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');

const hasOnlyText = (blocks: readonly WireBlock[]): boolean => blocks.every(({ type }) => type === 'text');

/** Results of tools are sent by the user here, and may be followed by what the user says. */
function messagesFrom(
  { role, content }: NonNullable<WireRequest['messages']>[number],
  names: Map<string, string>,
): ChatMessage[] {
  const speaker = role === 'assistant' ? 'assistant' : role === 'system' ? 'system' : 'user';
  if (typeof content === 'string') return [{ role: speaker, content }];
  if (hasOnlyText(content)) return [{ role: speaker, content: textOf(content) }];
  const results: ChatPart[] = [];
  const others: ChatPart[] = [];
  for (const block of content) {
    if (block.type === 'tool_result') {
      const id = block.tool_use_id ?? '';
      const result = { id, name: names.get(id) ?? '', result: textOf(block.content) };
      results.push({ type: 'toolResult', ...result, ...(block.is_error ? { isError: true } : {}) });
    } else if (block.type === 'tool_use') {
      const { id = '', name = '', input } = block;
      names.set(id, name);
      others.push({ type: 'toolCall', id, name, arguments: input });
    } else if (block.type === 'text') {
      others.push({ type: 'text', text: block.text ?? '' });
    }
  }
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(others.length === 0 ? [] : [{ role: speaker, content: others } as const]),
  ];
}

const REASONS = { stop: 'end_turn', toolCalls: 'tool_use', length: 'max_tokens' } as const;

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export const anthropic: Format = {
  name: 'anthropic',
  path: /\/messages$/,
  read(body) {
    const { model, stream, system = [], messages = [], tools = [], ...wire } = body as unknown as WireRequest;
    const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system;
    const names = new Map<string, string>();
    return {
      model,
      stream: stream === true,
      messages: [
        ...blocks.map(({ text = '' }) => ({ role: 'system' as const, content: text })),
        ...messages.flatMap((message) => messagesFrom(message, names)),
      ],
      tools: tools.map(({ name, description = '', input_schema: parameters = {} }) => ({
        name,
        description,
        parameters,
      })),
      ...defined({ temperature: wire.temperature, maxTokens: wire.max_tokens }),
    };
  },
  whole({ id, model, pieces, toolCalls, finish, usage }) {
    const text = pieces.length === 0 ? [] : [{ type: 'text', text: pieces.join('') }];
    const calls = toolCalls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.name,
      input: parsed(call.arguments),
    }));
    return {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [...text, ...calls],
      stop_reason: REASONS[finish],
      stop_sequence: null,
      usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    };
  },
  frames({ id, model, pieces, toolCalls, finish, usage }) {
    const event = (type: string, data: object = {}, isPiece = false): Frame =>
      frame({ type, ...data }, { event: type, isPiece });
    const delta = (index: number, content: object): Frame =>
      event('content_block_delta', { index, delta: content }, true);
    const message = { id, type: 'message', role: 'assistant', model, content: [] };
    const started = { ...message, usage: { input_tokens: usage.inputTokens, output_tokens: 0 } };
    const frames = [event('message_start', { message: started }), event('ping')];
    if (pieces.length > 0) {
      frames.push(
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        ...pieces.map((text) => delta(0, { type: 'text_delta', text })),
        event('content_block_stop', { index: 0 }),
      );
    }
    for (const [place, call] of toolCalls.entries()) {
      const index = place + (pieces.length > 0 ? 1 : 0);
      const block = { type: 'tool_use', id: call.id, name: call.name, input: {} };
      frames.push(
        event('content_block_start', { index, content_block: block }, true),
        ...halves(call.arguments).map((json) =>
          delta(index, { type: 'input_json_delta', partial_json: json }),
        ),
        event('content_block_stop', { index }),
      );
    }
    const ending = { delta: { stop_reason: REASONS[finish], stop_sequence: null } };
    return [
      ...frames,
      event('message_delta', { ...ending, usage: { output_tokens: usage.outputTokens } }),
      event('message_stop'),
    ];
  },
  failure: (message) =>
    frame({ type: 'error', error: { type: 'overloaded_error', message } }, { event: 'error' }),
  refusal: (status, message) => ({ type: 'error', error: { type: ERRORS[status] ?? 'api_error', message } }),
};
