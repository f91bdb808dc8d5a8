/** Events over HTTP: as a stream that continues, and as a page of what was. */
import type { Context } from 'hono';
import type { Caller } from '../../../kernel/caller.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { KeepsakeEvent } from '../../../kernel/events.ts';
import { z } from '../../../kernel/zod.ts';
import { jsonAnswer } from '../answers.ts';
import { authenticate } from '../authenticate.ts';
import type { GuardedRoute, ServerParts } from '../route.ts';
import { eventStream } from './event-stream.ts';
import { mayHear, shownTo } from './visible.ts';

const MOST = 1_000;

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new KeepsakeError('INVALID_INPUT', `"${name}" must be a whole number, zero or more.`, {
    hint: `Give the "seq" of the last event you saw, for example ${name}=42.`,
  });
}

/** What the request asks for, within what its caller may hear. */
function matcher(context: Context, { viewer }: Caller): (event: KeepsakeEvent) => boolean {
  const types = context.req.queries('types')?.flatMap((text) => text.split(','));
  const { agent, session } = context.req.query();
  return (event) =>
    mayHear(viewer, event) &&
    (types === undefined || types.includes(event.type)) &&
    (agent === undefined || event.agent === agent) &&
    (session === undefined || event.session === session);
}

function isStillAllowed(context: Context, parts: ServerParts): boolean {
  try {
    authenticate(context, STREAM, parts);
    return true;
  } catch {
    return false;
  }
}

async function stream(context: Context, caller: Caller, parts: ServerParts): Promise<Response> {
  const { feed } = parts;
  const matches = matcher(context, caller);
  const wanted =
    wholeNumber(context.req.header('last-event-id'), 'Last-Event-ID') ??
    wholeNumber(context.req.query('after'), 'after');
  // Beyond the end there is nothing to wait for: such a number is from another database.
  const latest = await feed.latest();
  const after = Math.min(wanted ?? latest, latest);
  return new Response(
    eventStream({
      ...{ feed, after, matches, shown: shownTo(caller.viewer) },
      isAllowed: () => isStillAllowed(context, parts),
    }),
    {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      },
    },
  );
}

async function page(context: Context, caller: Caller, { engine }: ServerParts): Promise<Response> {
  const matches = matcher(context, caller);
  const limit = Math.min(wholeNumber(context.req.query('limit'), 'limit') ?? 100, MOST);
  let after = wholeNumber(context.req.query('after'), 'after') ?? 0;
  const found: KeepsakeEvent[] = [];
  while (found.length < limit) {
    const read = await engine.storage.events.read({ after, limit: MOST });
    found.push(...read.filter(matches));
    if (read.length < MOST) break;
    after = read.at(-1)!.seq;
  }
  return jsonAnswer(context, found.slice(0, limit).map(shownTo(caller.viewer)));
}

/** Fields beyond these depend on the type; docs/reference/events.md lists them. */
const event = z
  .object({ seq: z.int(), type: z.string(), at: z.int(), via: z.string(), agent: z.string().optional() })
  .loose();

const STREAM: GuardedRoute = {
  ...{ method: 'GET', path: '/v1/events', role: 'reader', handle: stream },
  audited: { name: 'events.follow', effect: 'read' },
  response: { type: 'text/event-stream', schema: z.string() },
  summary: 'Streams events as they happen (server-sent events), or from a number on.',
};

const SHORT: GuardedRoute = { ...STREAM, path: '/events', summary: 'The same stream under a shorter name.' };

const PAGE: GuardedRoute = {
  ...{ method: 'GET', path: '/v1/events/read', role: 'reader', handle: page },
  audited: { name: 'events.read', effect: 'read' },
  response: { type: 'application/json', schema: z.array(event) },
  summary: 'Reads stored events, oldest first.',
};

export const EVENT_ROUTES: readonly GuardedRoute[] = [STREAM, SHORT, PAGE];
