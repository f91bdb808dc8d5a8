/** One route for every verb, and the short ones that a verb declares; all are made from the definitions. */
import type { Context } from 'hono';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { noticesOf } from '../../kernel/notices.ts';
import { type AnyVerb, callVerb, pathOf, type RestRoute } from '../../kernel/verb.ts';
import { jsonAnswer } from './answers.ts';
import { inputSchema, queryInput } from './query-input.ts';
import { MAX_BODY, readJson } from './read-body.ts';
import type { GuardedRoute, Method } from './route.ts';
import { refuseFiles } from './separate-folders.ts';

/** What made an answer weaker than usual, percent-encoded JSON; the answer itself stays what the schema says. */
const NOTICE_HEADER = 'keepsake-notice';
const MORE_HEADER = 'keepsake-more';

/** `If-Match: "3"` is the HTTP way to say `ifVersion: 3`, and that of a document to say `ifHash`. */
function condition(context: Context, verb: AnyVerb): Record<string, string | number> {
  const header = context.req.header('if-match');
  if (header === undefined || header.trim() === '*') return {};
  const properties = inputSchema(verb.input).properties ?? {};
  const tag = /^(?:W\/)?"([0-9a-f]{1,64})"$/.exec(header.trim())?.[1];
  const byHash = Object.hasOwn(properties, 'ifHash');
  const byVersion = Object.hasOwn(properties, 'ifVersion');
  if (byHash && tag !== undefined) return { ifHash: tag };
  if (byVersion && tag !== undefined && /^\d{1,15}$/.test(tag)) return { ifVersion: Number(tag) };
  if (!byHash && !byVersion) {
    if (verb.effect === 'read') return {};
    // To change something although the condition was not looked at would be worse than to refuse.
    throw new KeepsakeError('INVALID_INPUT', `${verb.name} cannot be made conditional.`, {
      hint: 'Send it without If-Match.',
    });
  }
  throw new KeepsakeError('INVALID_INPUT', `If-Match must hold one ${byHash ? 'hash' : 'version'}.`, {
    hint: `Send back the ETag of what you read, for example If-Match: ${byHash ? '"8f14e45f…"' : '"3"'}.`,
  });
}

/** Who is asked for is known already. */
function queryOf({ req }: Context): URLSearchParams {
  const start = req.url.indexOf('?');
  const query = new URLSearchParams(start === -1 ? '' : req.url.slice(start + 1));
  query.delete('agent');
  query.delete('user');
  return query;
}

async function inputOf(context: Context, verb: AnyVerb, route: RestRoute, method: Method) {
  const readsQuery = method === 'GET' || method === 'DELETE';
  const given = readsQuery
    ? queryInput(queryOf(context), verb.input, route.renamed)
    : await readJson(context, verb.maxBody ?? MAX_BODY);
  // The path has the last word, so that a body cannot mean another memory than the address says.
  const input: Record<string, unknown> = { ...given, ...context.req.param() };
  const only = condition(context, verb);
  return { input: { ...input, ...only }, isConditional: Object.keys(only).length > 0 };
}

/** The version of a memory or a state, the hash of a document. */
function entityTag(answer: unknown): Record<string, string> {
  const { version, hash } = (answer ?? {}) as { version?: unknown; hash?: unknown };
  if (typeof version === 'number') return { etag: `"${version}"` };
  return typeof hash === 'string' ? { etag: `"${hash}"` } : {};
}

function nextPage(context: Context, answer: unknown, limit: unknown): Record<string, string> {
  if (!Array.isArray(answer) || answer.length < (typeof limit === 'number' ? limit : 50)) return {};
  const last = answer.at(-1) as { id?: unknown } | undefined;
  if (typeof last?.id !== 'string') return {};
  const url = new URL(context.req.url);
  url.searchParams.set('after', last.id);
  return { link: `<${url.pathname}${url.search}>; rel="next"` };
}

/** How many weaker matches a search left out; `all` returns them. */
function leftOut(answer: unknown): Record<string, string> {
  const { more } = (answer ?? {}) as { more?: unknown };
  return typeof more === 'number' ? { [MORE_HEADER]: String(more) } : {};
}

function notices(answer: unknown): Record<string, string> {
  const found = noticesOf(answer);
  return found.length === 0 ? {} : { [NOTICE_HEADER]: encodeURIComponent(JSON.stringify(found)) };
}

function routeOf(verb: AnyVerb, rest: RestRoute): GuardedRoute {
  const [method, path] = rest.route.split(' ') as [Method, string];
  const { status = 200, renamed, paged = false } = rest;
  return {
    ...{ method, path, verb, role: verb.role, summary: verb.summary },
    response: { type: 'application/json', schema: verb.output },
    ...defined({ renamed }),
    handle: async (context, caller, { engine }) => {
      const { input, isConditional } = await inputOf(context, verb, rest, method);
      // For the audit trail, which says whether anything could change.
      if (input.dryRun === true) context.set('dryRun', true);
      try {
        refuseFiles(verb, engine);
        const answer: unknown = await callVerb(verb, engine, input, caller);
        const page = paged ? nextPage(context, answer, input.limit) : {};
        return await jsonAnswer(context, answer, {
          status,
          headers: { ...entityTag(answer), ...page, ...notices(answer), ...leftOut(answer) },
        });
      } catch (error) {
        if (isConditional && KeepsakeError.is(error) && error.code === 'CONFLICT') {
          return jsonAnswer(context, { error: error.toJSON() }, { status: 412 });
        }
        throw error;
      }
    },
  };
}

/** Routes with a fixed last part come before those where it varies. */
export function verbRoutes(verbs: readonly AnyVerb[]): GuardedRoute[] {
  return [
    ...verbs.map((verb) => routeOf(verb, { route: `POST ${pathOf(verb) as `/${string}`}` })),
    ...verbs.flatMap((verb) => (verb.rest ?? []).map((rest) => routeOf(verb, rest))),
  ];
}
