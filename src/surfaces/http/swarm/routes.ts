/** Streams state changes and messages of active swarm runs over HTTP. */
import type { Context } from 'hono';
import type { Caller } from '../../../kernel/caller.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { z } from '../../../kernel/zod.ts';
import { authenticate } from '../authenticate.ts';
import type { GuardedRoute, ServerParts } from '../route.ts';
import { endingStream } from './stream.ts';

function placeOf(context: Context): { id: string; after: number } {
  const { id = '', after = '0' } = context.req.query();
  if (id !== '' && /^\d{1,15}$/.test(after)) return { id, after: Number(after) };
  throw new KeepsakeError('INVALID_INPUT', 'A run and a number are needed.', {
    hint: 'For example ?id=run_01k…&after=0; "after" is the number of the last entry that you saw.',
  });
}

const stillAllowed = (context: Context, route: GuardedRoute, parts: ServerParts) => (): boolean => {
  try {
    // Looking again whether the key still holds is not a request of its holder.
    authenticate(context, route, parts);
    return !parts.isClosing();
  } catch {
    return false;
  }
};

async function changes(context: Context, caller: Caller, parts: ServerParts): Promise<Response> {
  const { id, after } = placeOf(context);
  const state = await parts.engine.swarms.state(id, caller);
  return endingStream({
    source: (signal) => state.watch({ after, signal }),
    numberOf: ({ version }) => version,
    isAllowed: stillAllowed(context, CHANGES, parts),
  });
}

async function messages(context: Context, caller: Caller, parts: ServerParts): Promise<Response> {
  const { id: run, after } = placeOf(context);
  const agent = context.req.query('from');
  const { swarms } = parts.engine;
  // Refuses before the stream begins.
  await swarms.get({ id: run }, caller);
  return endingStream({
    source: (signal) => swarms.watchMessages({ run, after, agent, signal }, caller),
    numberOf: ({ seq }) => seq,
    isAllowed: stillAllowed(context, MESSAGES, parts),
  });
}

const STREAM = { type: 'text/event-stream', schema: z.string() } as const;

const CHANGES: GuardedRoute = {
  ...{ method: 'GET', path: '/v1/state/watch', role: 'reader', handle: changes },
  response: STREAM,
  summary: 'Streams the changes of the working memory of a run (server-sent events), and ends with it.',
};

const MESSAGES: GuardedRoute = {
  ...{ method: 'GET', path: '/v1/swarm/watch', role: 'reader', handle: messages },
  response: STREAM,
  summary: 'Streams what is said in a run (server-sent events), and ends with it.',
};

export const SWARM_ROUTES: readonly GuardedRoute[] = [CHANGES, MESSAGES];
