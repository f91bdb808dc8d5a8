/** A server on loopback that speaks as the models of Anthropic, OpenAI and Google do, and does what a prompt says word for word. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Wanted {
  readonly tool?: { readonly name: string; readonly input: object };
  readonly text: string;
}

export interface ModelServer {
  readonly url: string;
  /** The bodies of all requests, as they came. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

type Body = Readonly<Record<string, unknown>>;

/** `TOOL remember content=… END` calls the tool whose name ends so, once; anything else is answered with a word. */
function decide(body: Body, text: string): Wanted {
  const asked = [...text.matchAll(/TOOL (\w+) (\w+)=(.*?) END/g)].at(-1);
  if (asked === undefined) return { text: 'Done.' };
  const [, tool, field, value] = asked as unknown as readonly [string, string, string, string];
  const input = { [field]: value };
  const names = toolNames(body);
  const name = names.find((each) => each.endsWith(tool));
  const done = resultsIn(body);
  if (name !== undefined) return done > 0 ? { text: 'Done.' } : { tool: { name, input }, text: '' };
  // Qwen Code shows the tools of servers only to those who look for them.
  if (!names.includes('tool_call') || done > 1) return { text: 'Done.' };
  const hidden = `mcp__keepsake__${tool}`;
  return done === 0
    ? { tool: { name: 'tool_search', input: { query: `select:${hidden}` } }, text: '' }
    : { tool: { name: 'tool_call', input: { name: hidden, arguments: input } }, text: '' };
}

function toolNames({ tools = [] }: { readonly tools?: unknown }): string[] {
  type Named = { name: string };
  const all = tools as (Partial<Named> & {
    function?: Named;
    tools?: Named[];
    functionDeclarations?: Named[];
  })[];
  // Codex puts the tools of one server into a namespace of its own; Google's models take lists of functions.
  return all.flatMap(({ name, function: own, tools: inner = [], functionDeclarations: listed = [] }) => [
    ...[...inner, ...listed].map((each) => each.name),
    name ?? own?.name ?? '',
  ]);
}

/** How often the model was told what a tool said. */
function resultsIn(body: Body): number {
  const results =
    /"type":"tool_result"|"role":"tool"|"type":"(?:function|mcp)_call_output"|"functionResponse":/g;
  return JSON.stringify(body).match(results)?.length ?? 0;
}

/** The last thing that a user said, which in Claude Code comes with what hooks added. */
function lastUserText(body: Body): string {
  const messages = (body.messages ?? body.input ?? body.contents ?? []) as {
    role?: string;
    content?: unknown;
    parts?: unknown;
  }[];
  const said = messages.filter(({ role, parts }) => role === 'user' && !isToolResult(parts)).at(-1);
  const last = said?.content ?? said?.parts;
  const parts = typeof last === 'string' ? [{ text: last }] : ((last ?? []) as { text?: string }[]);
  return parts.map(({ text = '' }) => text).join('\n');
}

/** Google's models get the results of tools from the user. */
const isToolResult = (parts: unknown): boolean =>
  Array.isArray(parts) && parts.some((part: object) => 'functionResponse' in part);

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

function anthropic({ tool, text }: Wanted): string {
  const block =
    tool === undefined
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${Date.now()}`, name: tool.name, input: {} };
  const delta =
    tool === undefined
      ? { type: 'text_delta', text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
    stop_reason: null,
    stop_sequence: null,
  };
  return [
    event('message_start', { type: 'message_start', message }),
    event('content_block_start', { type: 'content_block_start', index: 0, content_block: block }),
    event('content_block_delta', { type: 'content_block_delta', index: 0, delta }),
    event('content_block_stop', { type: 'content_block_stop', index: 0 }),
    event('message_delta', {
      type: 'message_delta',
      delta: { stop_reason: tool === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 1 },
    }),
    event('message_stop', { type: 'message_stop' }),
  ].join('');
}

function responses({ tool, text }: Wanted, body: Body): string {
  const namespace = ((body.tools ?? []) as { name?: string; tools?: { name: string }[] }[]).find(
    ({ tools }) => tools?.some(({ name }) => name === tool?.name),
  )?.name;
  const item =
    tool === undefined
      ? { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text }] }
      : {
          type: 'function_call',
          id: 'f1',
          call_id: 'c1',
          name: tool.name,
          arguments: JSON.stringify(tool.input),
          ...(namespace === undefined ? {} : { namespace }),
        };
  return [
    event('response.created', { type: 'response.created', response: { id: 'r1' } }),
    event('response.output_item.done', { type: 'response.output_item.done', item }),
    event('response.completed', {
      type: 'response.completed',
      response: { id: 'r1', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
    }),
  ].join('');
}

function chat({ tool, text }: Wanted): string {
  const delta =
    tool === undefined
      ? { role: 'assistant', content: text }
      : {
          role: 'assistant',
          tool_calls: [
            {
              index: 0,
              id: 'c1',
              type: 'function',
              function: { name: tool.name, arguments: JSON.stringify(tool.input) },
            },
          ],
        };
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
  return `${chunk({ delta, finish_reason: null })}${chunk({ delta: {}, finish_reason: tool === undefined ? 'stop' : 'tool_calls' })}data: [DONE]\n\n`;
}

function google({ tool, text }: Wanted): object {
  const part = tool === undefined ? { text } : { functionCall: { name: tool.name, args: tool.input } };
  const candidate = { index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return { candidates: [candidate], usageMetadata };
}

function answerGoogle(path: string, body: Body, response: ServerResponse): void {
  const isStream = path.endsWith(':streamGenerateContent');
  const message = path.endsWith(':countTokens')
    ? { totalTokens: 1 }
    : google(decide(body, lastUserText(body)));
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  response.end(isStream ? `data: ${JSON.stringify(message)}\n\n` : JSON.stringify(message));
}

function answer(path: string, body: Body, response: ServerResponse): void {
  if (path.startsWith('/v1beta/models/')) {
    answerGoogle(path, body, response);
    return;
  }
  const wanted = decide(body, lastUserText(body));
  const formats = { '/v1/messages': anthropic, '/v1/responses': responses, '/v1/chat/completions': chat };
  const format = formats[path as keyof typeof formats];
  if (format === undefined || body.stream !== true) {
    const found = path.startsWith('/v1/messages');
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    response.end(
      JSON.stringify(
        path.endsWith('count_tokens')
          ? { input_tokens: 1 }
          : found
            ? message
            : { error: { message: 'not found' } },
      ),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(format(wanted, body));
}

export async function modelServer(): Promise<ModelServer> {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.on('end', () => {
      requests.push(text);
      const path = new URL(request.url ?? '/', 'http://x').pathname;
      answer(path, (text === '' ? {} : JSON.parse(text)) as Body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
