/** Reads the JSON of a request, no more of it than allowed, and says what is wrong with it. */
import type { Context } from 'hono';
import { KeepsakeError } from '../../kernel/errors.ts';

const strict = new TextDecoder('utf-8', { fatal: true });

function tooLarge(limit: number): KeepsakeError {
  return new KeepsakeError('TOO_LARGE', `A request has at most ${limit} bytes here.`, {
    hint: 'Send less at a time.',
    details: { limit },
  });
}

async function readBytes(context: Context, limit: number): Promise<Uint8Array> {
  const announced = context.req.header('content-length');
  if (announced !== undefined) {
    if (!(Number(announced) <= limit)) throw tooLarge(limit);
    // The parser of HTTP sees to it that no more than announced arrives.
    const bytes = new Uint8Array(await context.req.arrayBuffer());
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = context.req.raw.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) return Buffer.concat(parts, size);
    size += next.value.length;
    if (size > limit) {
      await reader?.cancel();
      throw tooLarge(limit);
    }
    parts.push(next.value);
  }
}

/** An empty body means no input. */
export async function readJson(context: Context, limit: number): Promise<Record<string, unknown>> {
  const bytes = await readBytes(context, limit);
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
    return value as Record<string, unknown>;
  }
  throw new KeepsakeError('INVALID_INPUT', 'The body must be a JSON object.', {
    hint: 'For example: {"query": "answers"}',
  });
}
