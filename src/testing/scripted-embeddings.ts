/** A real HTTP server that speaks OpenAI's embedding format and fails on request, for tests of whatever calls one. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingsRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number };
}

/** What happens to one request instead of a proper answer. */
export type ScriptedStep =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** An object is sent as JSON, a text as it is. */
      readonly body?: unknown;
    }
  /** No answer at all, until the caller gives up. */
  | 'hang'
  /** The beginning of an answer, then the connection breaks. */
  | 'cut';

export interface ScriptedEmbeddings {
  /** To be used as the base URL. */
  readonly url: string;
  readonly requests: readonly EmbeddingsRequest[];
  /** The next requests are met by these steps, one each; those after them get proper answers again. */
  script(...steps: readonly ScriptedStep[]): void;
  close(): Promise<void>;
}

/** Texts that share words have vectors that are close: each word adds one to a dimension of its own, as far as they go. */
export function scriptedVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2_166_136_261;
    for (const character of word) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619) >>> 0;
    vector[hash % dimensions]! += 1;
  }
  return vector;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function play(step: ScriptedStep, response: ServerResponse): void {
  if (step === 'hang') return;
  if (step === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"object":"list","data":[{"embed', () => response.destroy());
    return;
  }
  const { status = 200, headers = {}, body = {} } = step;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export async function scriptedEmbeddings({ dimensions = 64 } = {}): Promise<ScriptedEmbeddings> {
  const requests: EmbeddingsRequest[] = [];
  const steps: ScriptedStep[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readBody(request)) as EmbeddingsRequest['body'];
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    const step = steps.shift();
    if (step !== undefined) return play(step, response);
    const data = body.input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: scriptedVector(text, body.dimensions ?? dimensions),
    }));
    play({ body: { object: 'list', model: body.model, data } }, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (...more) => void steps.push(...more),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
