/** Plays one reply of a script to one request: an answer in the right format, or the fault that was asked for. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Format, Frame, ScriptedAnswer, ScriptedReply, ScriptedRequest } from './script.ts';

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** Word by word, each with the space before it, so that the pieces put together are the text again. */
const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

function piecesOf({ text, json }: ScriptedAnswer): readonly string[] {
  if (text === undefined) return json === undefined ? [] : wordsOf(JSON.stringify(json));
  return typeof text === 'string' ? wordsOf(text) : text;
}

export function answerFrom(script: ScriptedAnswer, request: ScriptedRequest, index: number): Answer {
  const pieces = piecesOf(script);
  const toolCalls = (script.toolCalls ?? []).map(({ name, id, arguments: given = {} }, place) => ({
    id: id ?? `call_${index + 1}_${place + 1}`,
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  }));
  const usage = {
    inputTokens: tokensOf(JSON.stringify(request.messages)),
    outputTokens: tokensOf(pieces.join('') + JSON.stringify(toolCalls)),
  };
  return {
    id: `reply_${index + 1}`,
    model: request.model,
    pieces,
    toolCalls,
    finish: script.finish ?? (toolCalls.length > 0 ? 'toolCalls' : 'stop'),
    usage: script.usage ?? usage,
  };
}

/** The frames up to where the script wants the answer to break off. */
function until(frames: readonly Frame[], pieces: number | undefined): readonly Frame[] {
  if (pieces === undefined) return frames;
  let seen = 0;
  const end = frames.findIndex(({ isPiece }) => isPiece && seen++ === pieces);
  // More pieces than there are: everything but the end, which is what makes an answer complete.
  return frames.slice(0, end === -1 ? frames.findLastIndex(({ isPiece }) => isPiece) + 1 : end);
}

const written = (response: ServerResponse, text: string): Promise<void> =>
  new Promise((done) => {
    response.write(text, () => done());
  });

async function sendAnswer(
  script: ScriptedAnswer,
  answer: Answer,
  format: Format,
  response: ServerResponse,
  stream: boolean,
): Promise<void> {
  const { cutAfter, endAfter, failAfter, hangAfter } = script;
  const stop = cutAfter ?? endAfter ?? failAfter ?? hangAfter;
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  const whole = [{ text: JSON.stringify(format.whole(answer)), isPiece: true }];
  const half = whole.map(({ text, isPiece }) => ({ text: text.slice(0, text.length / 2), isPiece }));
  const frames = stream ? until(format.frames(answer), stop) : stop === undefined ? whole : half;
  response.flushHeaders();
  for (const { text } of frames) await written(response, text);
  if (stream && failAfter !== undefined)
    await written(response, format.failure('The script fails here.').text);
  if (cutAfter !== undefined) response.destroy();
  else if (hangAfter === undefined) response.end();
}

export async function playReply(
  reply: ScriptedReply,
  request: ScriptedRequest,
  index: number,
  format: Format,
  response: ServerResponse,
): Promise<void> {
  const script = typeof reply === 'string' ? { text: reply } : reply;
  if ('hang' in script) return;
  if (script.delayMs !== undefined) await pause(script.delayMs, undefined, { ref: false });
  if (!('status' in script)) {
    return sendAnswer(script, answerFrom(script, request, index), format, response, request.stream);
  }
  const { status, retryAfter, message = `The script says ${status}.` } = script;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(JSON.stringify(format.refusal(status, message)));
}
