/** OpenAI's responses, the API that its own models are asked through. */
import { defined } from '../../kernel/defined.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ChatMessage, ToolSpec } from '../../ports/language-model.ts';
import { type Answer, type Format, type Frame, frame, halves, parsed } from './script.ts';

interface WireItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: string | readonly { readonly text?: string }[];
}

interface WireRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly instructions?: string;
  readonly input?: string | readonly WireItem[];
  readonly tools?: readonly { type: string; name?: string; description?: string; parameters?: JsonObject }[];
  readonly temperature?: number;
  readonly max_output_tokens?: number;
}

const textOf = (content: WireItem['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

function messageFrom(item: WireItem, names: Map<string, string>): ChatMessage[] {
  const id = item.call_id ?? '';
  switch (item.type ?? 'message') {
    case 'function_call': {
      const { name = '', arguments: json = '' } = item;
      names.set(id, name);
      return [{ role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: parsed(json) }] }];
    }
    case 'function_call_output': {
      const result = { id, name: names.get(id) ?? '', result: textOf(item.output) };
      return [{ role: 'tool', content: [{ type: 'toolResult', ...result }] }];
    }
    case 'message': {
      const role = item.role === 'user' || item.role === 'assistant' ? item.role : 'system';
      return [{ role, content: textOf(item.content) }];
    }
    default:
      return [];
  }
}

function toolsIn(tools: WireRequest['tools'] = []): ToolSpec[] {
  return tools.flatMap(({ type, name = '', description = '', parameters = {} }) =>
    type === 'function' ? [{ name, description, parameters }] : [],
  );
}

const usageOf = ({ usage: { inputTokens, outputTokens } }: Answer) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

function itemsOf({ id, pieces, toolCalls }: Answer) {
  const content = [{ type: 'output_text', text: pieces.join(''), annotations: [], logprobs: [] }];
  const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
  const calls = toolCalls.map((call) => ({
    type: 'function_call',
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
    status: 'completed',
  }));
  return { message: pieces.length === 0 ? [] : [message], calls };
}

function responseOf(answer: Answer, isDone: boolean) {
  const { id, model, finish } = answer;
  const { message, calls } = itemsOf(answer);
  const isCut = isDone && finish === 'length';
  return {
    id,
    object: 'response',
    created_at: 0,
    model,
    status: isDone ? (isCut ? 'incomplete' : 'completed') : 'in_progress',
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: isDone ? [...message, ...calls] : [],
    usage: isDone ? usageOf(answer) : null,
  };
}

export const openAiResponses: Format = {
  name: 'openai-responses',
  path: /\/responses$/,
  read(body) {
    const { model, stream, instructions, input = [], tools, ...wire } = body as unknown as WireRequest;
    const names = new Map<string, string>();
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const first: ChatMessage[] =
      instructions === undefined ? [] : [{ role: 'system', content: instructions }];
    return {
      model,
      stream: stream === true,
      messages: [...first, ...items.flatMap((item) => messageFrom(item, names))],
      tools: toolsIn(tools),
      ...defined({ temperature: wire.temperature, maxTokens: wire.max_output_tokens }),
    };
  },
  whole: (answer) => responseOf(answer, true),
  frames(answer) {
    let number = 0;
    const event = (type: string, data: object, isPiece = false): Frame =>
      frame({ type, sequence_number: number++, ...data }, { event: type, isPiece });
    const { message, calls } = itemsOf(answer);
    const frames = [event('response.created', { response: responseOf(answer, false) })];
    for (const item of message) {
      const place = { item_id: item.id, output_index: 0, content_index: 0 };
      frames.push(
        event('response.output_item.added', {
          output_index: 0,
          item: { ...item, status: 'in_progress', content: [] },
        }),
        ...answer.pieces.map((delta) =>
          event('response.output_text.delta', { ...place, delta, logprobs: [] }, true),
        ),
        event('response.output_item.done', { output_index: 0, item }),
      );
    }
    for (const [index, item] of calls.entries()) {
      const place = { output_index: message.length + index };
      frames.push(
        event('response.output_item.added', { ...place, item: { ...item, arguments: '' } }, true),
        ...halves(item.arguments).map((delta) =>
          event('response.function_call_arguments.delta', { ...place, item_id: item.id, delta }, true),
        ),
        event('response.output_item.done', { ...place, item }),
      );
    }
    const end = answer.finish === 'length' ? 'response.incomplete' : 'response.completed';
    return [...frames, event(end, { response: responseOf(answer, true) })];
  },
  failure: (message) =>
    frame(
      {
        type: 'error',
        sequence_number: 0,
        error: { type: 'server_error', code: 'server_error', message, param: null },
      },
      { event: 'error' },
    ),
  refusal: (status, message) => ({
    error: { message, type: 'scripted_error', param: null, code: String(status) },
  }),
};
