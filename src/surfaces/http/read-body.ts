/** Reads and parses the JSON body of a request, with a size limit. */
import type { Context } from 'hono';
import { KeepsakeError } from '../../kernel/errors.ts';

/** Room for the longest memory in any script, and its metadata. */
export const MAX_BODY = 4 * 1024 * 1024;

const strict = new TextDecoder('utf-8', { fatal: true });

function tooLarge(limit: number): KeepsakeError {
  return new KeepsakeError('TOO_LARGE', `A request has at most ${limit} bytes here.`, {
    hint: 'Send less at a time.',
    details: { limit },
  });
}

/** A client that hangs up while it sends is not a defect of the server. */
async function unlessHungUp<Value>({ req }: Context, read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (cause) {
    const isHungUp = req.raw.signal.aborted || (cause as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (!isHungUp) throw cause;
    throw new KeepsakeError('ABORTED', 'The client hung up before the request was complete.', { cause });
  }
}

async function readBytes(context: Context, limit: number): Promise<Uint8Array> {
  const announced = context.req.header('content-length');
  if (announced !== undefined) {
    if (!(Number(announced) <= limit)) throw tooLarge(limit);
    // The parser of HTTP sees to it that no more than announced arrives.
    const bytes = new Uint8Array(await unlessHungUp(context, context.req.arrayBuffer()));
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = context.req.raw.body?.getReader();
  for (;;) {
    const next = reader === undefined ? undefined : await unlessHungUp(context, reader.read());
    if (next === undefined || next.done) return Buffer.concat(parts, size);
    size += next.value.length;
    if (size > limit) {
      await reader?.cancel();
      throw tooLarge(limit);
    }
    parts.push(next.value);
  }
}

/** Below this size the worst JSON takes some milliseconds to read. */
const SHORT = 64 * 1024;
/** A state of the greatest size can hold this many values; nothing else that a request says comes near. */
const MOST_VALUES = 600_000;
const DEEPEST = 500;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Before it is parsed: many small values take a hundred times as long as one long text of the same size. */
function refuseManyValues(bytes: Uint8Array): void {
  if (bytes.length <= SHORT) return;
  let [values, depth, isText] = [0, 0, false];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (isText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (byte >= 0x5b && OPENING.has(byte)) {
      values++;
      depth++;
    } else if (byte >= 0x5b && CLOSING.has(byte)) depth--;
    if (depth > DEEPEST) {
      throw new KeepsakeError('INVALID_INPUT', `The body is nested deeper than ${DEEPEST} levels.`, {
        hint: 'Send one JSON object.',
      });
    }
    if (values > MOST_VALUES) {
      throw new KeepsakeError('TOO_LARGE', `The body has more than ${MOST_VALUES} values.`, {
        hint: 'Send less at a time.',
      });
    }
  }
}

/** No request has so many; to compare each of a hundred thousand with what is known takes a second. */
const MOST_FIELDS = 1_000;

function refuseManyFields(value: object): void {
  let fields = 0;
  for (const _ in value) {
    if (++fields <= MOST_FIELDS) continue;
    throw new KeepsakeError('INVALID_INPUT', `The body has more than ${MOST_FIELDS} fields.`, {
      hint: 'GET /docs shows which fields a request takes.',
    });
  }
}

/** The whole request, if it is not larger than the usual limit and not made to be slow. */
export async function readBody(context: Context, limit: number): Promise<Uint8Array> {
  const bytes = await readBytes(context, limit);
  refuseManyValues(bytes);
  return bytes;
}

/** An empty body means no input. */
export async function readJson(context: Context, limit: number): Promise<Record<string, unknown>> {
  const bytes = await readBody(context, limit);
  if (bytes.length === 0) return {};
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new KeepsakeError('INVALID_INPUT', 'Only JSON is understood here.', {
      hint: 'Send the header "Content-Type: application/json".',
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(strict.decode(bytes));
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', 'The body is not valid JSON in UTF-8.', {
      hint: 'Send one JSON object.',
      cause,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    refuseManyFields(value);
    return value as Record<string, unknown>;
  }
  throw new KeepsakeError('INVALID_INPUT', 'The body must be a JSON object.', {
    hint: 'For example: {"query": "answers"}',
  });
}
