/** An HTTP server with the APIs of OpenAI, Anthropic and Google that answers from a script. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServerModel, type Patience, type WireFormat } from '../../models/language/index.ts';
import type { ChatMessage, ChatModel } from '../../ports/language-model.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import { playReply } from './reply.ts';
import type { Format, Script, ScriptedReply, ScriptedRequest } from './script.ts';

const FORMATS = [openAiChat, openAiResponses, anthropic, google];

const SECRET_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie'];

export interface ScriptedModel extends AsyncDisposable {
  /** To be used as the base URL of any of the formats. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ScriptedRequest[];
  /** More replies, after those that are left. Not for a script that is a function. */
  script(...replies: readonly ScriptedReply[]): void;
  /**
   * A model that asks this server. The part before the "/" chooses the format: `openai/…` (responses),
   * `anthropic/…`, `google/…`, anything else OpenAI's chat completions.
   */
  model(id?: string, patience?: Patience): ChatModel;
  close(): Promise<void>;
}

const WIRE_FORMATS: Readonly<Record<string, WireFormat>> = {
  openai: 'openai-responses',
  anthropic: 'anthropic',
  google: 'google',
};

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? '***' : String(value),
    ]),
  );
}

function promptOf(messages: readonly ChatMessage[]): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function refuse(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** @param script defaults to no reply at all: `server.script(…)` adds them. */
/** In the words of any of the formats. */
function forbidsTools(body: Readonly<Record<string, unknown>>): boolean {
  const { tool_choice: choice, toolConfig } = body as {
    tool_choice?: string | { type?: string };
    toolConfig?: { functionCallingConfig?: { mode?: string } };
  };
  const said = typeof choice === 'object' ? choice?.type : choice;
  return said === 'none' || toolConfig?.functionCallingConfig?.mode === 'NONE';
}

export async function scriptedModel(script: Script = []): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const replies = typeof script === 'function' ? [] : [...script];
  const replyTo = (request: ScriptedRequest, index: number): ScriptedReply | Promise<ScriptedReply> => {
    if (typeof script === 'function') return script(request, index);
    // A status that nobody tries again, so that a test fails at once and says why.
    return (
      replies.shift() ?? { status: 400, message: `The script has no reply left for request ${index + 1}.` }
    );
  };

  async function answer(incoming: IncomingMessage, response: ServerResponse, format: Format, path: string) {
    const body = await readBody(incoming);
    const read = format.read(body, path);
    const prompt = promptOf(read.messages);
    const request = {
      ...{ ...read, format: format.name, path, prompt, headers: headersOf(incoming), body },
      ...(forbidsTools(body) ? { toolChoice: 'none' as const } : {}),
    };
    const index = requests.push(request) - 1;
    await playReply(await replyTo(request, index), request, index, format, response);
  }

  const server = createServer((incoming, response) => {
    const [path = ''] = (incoming.url ?? '').split('?');
    const format = FORMATS.find((candidate) => candidate.path.test(path));
    if (format === undefined) {
      const message = `The scripted model knows no ${path}.`;
      refuse(response, 404, { error: { message, type: 'not_found' } });
      return;
    }
    answer(incoming, response, format, path).catch((error: unknown) => {
      const message = `The script failed: ${error instanceof Error ? error.message : String(error)}`;
      if (response.headersSent) response.destroy();
      else refuse(response, 400, format.refusal(400, message));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });

  return {
    url,
    requests,
    script: (...more) => void replies.push(...more),
    model(id = 'scripted/model', patience = {}) {
      const [provider = '', ...name] = id.split('/');
      const format = WIRE_FORMATS[provider] ?? 'compatible';
      return createServerModel(
        { id, format, model: name.join('/') || id, baseUrl: url, apiKey: 'scripted' },
        patience,
      );
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
