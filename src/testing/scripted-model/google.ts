/** Google's generateContent, in which the path names the model and whether to stream. */
import { defined } from '../../kernel/defined.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ChatMessage, ChatPart } from '../../ports/language-model.ts';
import { type Answer, type Format, frame, parsed } from './script.ts';

interface WirePart {
  readonly text?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: unknown };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name: string;
    readonly response?: { readonly content?: unknown; readonly error?: unknown };
  };
}

interface WireTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly parametersJsonSchema?: JsonObject;
}

interface WireRequest {
  readonly systemInstruction?: { readonly parts?: readonly WirePart[] };
  readonly contents?: readonly { readonly role?: string; readonly parts: readonly WirePart[] }[];
  readonly tools?: { functionDeclarations?: WireTool[] } | readonly { functionDeclarations?: WireTool[] }[];
  readonly generationConfig?: { readonly temperature?: number; readonly maxOutputTokens?: number };
}

/** Calls need no id here; where there is none, the name of the tool represents it. */
function messageFrom({ role, parts }: NonNullable<WireRequest['contents']>[number]): ChatMessage {
  const content = parts.flatMap((part): ChatPart[] => {
    if (part.text !== undefined) return [{ type: 'text', text: part.text }];
    if (part.functionCall !== undefined) {
      const { id, name, args = {} } = part.functionCall;
      return [{ type: 'toolCall', id: id ?? name, name, arguments: args }];
    }
    if (part.functionResponse === undefined) return [];
    const { id, name, response = {} } = part.functionResponse;
    const isError = response.error !== undefined;
    const result = String(response.error ?? response.content ?? '');
    return [{ type: 'toolResult', id: id ?? name, name, result, ...(isError ? { isError } : {}) }];
  });
  const isResult = content.some(({ type }) => type === 'toolResult');
  const speaker = role === 'model' ? 'assistant' : isResult ? 'tool' : 'user';
  const [only] = content;
  if (content.length === 1 && only?.type === 'text') return { role: speaker, content: only.text };
  return { role: speaker, content };
}

const chunk = ({ id, model, usage }: Answer, parts: readonly unknown[], finishReason?: string) => ({
  responseId: id,
  modelVersion: model,
  candidates: [{ index: 0, content: { role: 'model', parts }, ...defined({ finishReason }) }],
  usageMetadata: {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: usage.outputTokens,
    totalTokenCount: usage.inputTokens + usage.outputTokens,
  },
});

const callsIn = ({ toolCalls }: Answer) =>
  toolCalls.map(({ id, name, arguments: json }) => ({ functionCall: { id, name, args: parsed(json) } }));

const reasonOf = ({ finish }: Answer): string => (finish === 'length' ? 'MAX_TOKENS' : 'STOP');

export const google: Format = {
  name: 'google',
  path: /\/models\/[^/]+:(stream)?generateContent$/i,
  read(body, path) {
    const { systemInstruction, contents = [], tools = [], generationConfig = {} } = body as WireRequest;
    const [, model = '', verb = ''] = /\/models\/([^/]+):(\w+)$/.exec(path) ?? [];
    const { temperature, maxOutputTokens: maxTokens } = generationConfig;
    const lists = Array.isArray(tools) ? tools : [tools];
    return {
      model,
      stream: verb.startsWith('stream'),
      messages: [
        ...(systemInstruction?.parts ?? []).map(({ text = '' }) => ({
          role: 'system' as const,
          content: text,
        })),
        ...contents.map(messageFrom),
      ],
      tools: lists.flatMap(({ functionDeclarations = [] }: { functionDeclarations?: WireTool[] }) =>
        functionDeclarations.map(({ name, description = '', parameters, parametersJsonSchema }) => ({
          name,
          description,
          parameters: parametersJsonSchema ?? parameters ?? {},
        })),
      ),
      ...defined({ temperature, maxTokens }),
    };
  },
  whole: (answer) =>
    chunk(answer, [...answer.pieces.map((text) => ({ text })), ...callsIn(answer)], reasonOf(answer)),
  frames: (answer) => [
    ...answer.pieces.map((text) => frame(chunk(answer, [{ text }]), { isPiece: true })),
    ...callsIn(answer).map((call) => frame(chunk(answer, [call]), { isPiece: true })),
    frame(chunk(answer, [{ text: '' }], reasonOf(answer))),
  ],
  failure: (message) => frame({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
  refusal: (status, message) => ({ error: { code: status, message, status: 'SCRIPTED_ERROR' } }),
};
