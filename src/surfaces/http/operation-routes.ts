/** One route for every operation, and shorter ones for those that are used most; all are made from the operations. */

import type { Context } from 'hono';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { type Operation, operations } from '../../operations/index.ts';
import { jsonAnswer } from './answers.ts';
import { OPERATION_ROLES } from './operation-roles.ts';
import { inputSchema, queryInput } from './query-input.ts';
import { readJson } from './read-body.ts';
import type { GuardedRoute, Method } from './route.ts';

const MIB = 1024 * 1024;
/** Room for the longest memory in any script, and its metadata. */
const MAX_BODY = 4 * MIB;
/** Whole conversations are longer. */
const MAX_IMPORT = 32 * MIB;

interface Shape {
  readonly method: Method;
  readonly path: string;
  readonly status?: number;
  readonly renamed?: Readonly<Record<string, string>>;
  /** Whether a full page says where the next one begins. */
  readonly paged?: true;
}

/** `If-Match: "3"` is the HTTP way to say `ifVersion: 3`, and that of a document to say `ifHash`. */
function condition(context: Context, operation: Operation): Record<string, string | number> {
  const header = context.req.header('if-match');
  if (header === undefined || header.trim() === '*') return {};
  const properties = inputSchema(operation.input).properties ?? {};
  const tag = /^(?:W\/)?"([0-9a-f]{1,64})"$/.exec(header.trim())?.[1];
  const byHash = Object.hasOwn(properties, 'ifHash');
  const byVersion = Object.hasOwn(properties, 'ifVersion');
  if (byHash && tag !== undefined) return { ifHash: tag };
  if (byVersion && tag !== undefined && /^\d{1,15}$/.test(tag)) return { ifVersion: Number(tag) };
  if (!byHash && !byVersion) {
    if (operation.effect === 'read') return {};
    // To change something although the condition was not looked at would be worse than to refuse.
    throw new KeepsakeError('INVALID_INPUT', `${operation.name} cannot be made conditional.`, {
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
  return query;
}

async function inputOf(context: Context, operation: Operation, { method, renamed }: Shape) {
  const readsQuery = method === 'GET' || method === 'DELETE';
  const limit = operation.name === 'log.import' ? MAX_IMPORT : MAX_BODY;
  const given = readsQuery
    ? queryInput(queryOf(context), operation.input, renamed)
    : await readJson(context, limit);
  // The path has the last word, so that a body cannot mean another memory than the address says.
  const input: Record<string, unknown> = { ...given, ...context.req.param() };
  const only = condition(context, operation);
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

function operationRoute(operation: Operation, shape: Shape): GuardedRoute[] {
  const role = Object.hasOwn(OPERATION_ROLES, operation.name) ? OPERATION_ROLES[operation.name] : undefined;
  if (role === undefined) return [];
  const { method, path, status = 200, renamed, paged } = shape;
  return [
    {
      ...{ method, path, role, operation, summary: operation.summary },
      ...defined({ renamed }),
      handle: async (context, caller, { engine }) => {
        const { input, isConditional } = await inputOf(context, operation, shape);
        try {
          const answer = await operation.run(engine, input, caller);
          const headers = { ...entityTag(answer), ...(paged ? nextPage(context, answer, input.limit) : {}) };
          return await jsonAnswer(context, answer, { status, headers });
        } catch (error) {
          if (isConditional && KeepsakeError.is(error) && error.code === 'CONFLICT') {
            return jsonAnswer(context, { error: error.toJSON() }, { status: 412 });
          }
          throw error;
        }
      },
    },
  ];
}

/** `memory.add` → `/v1/memory/add`. */
export function pathOfOperation({ name }: Operation): string {
  return `/v1/${name.replaceAll('.', '/')}`;
}

const all: readonly Operation[] = Object.values(operations) as unknown as readonly Operation[];

const short = (operation: unknown, shape: Shape): GuardedRoute[] =>
  operationRoute(operation as Operation, shape);

/** Those with a fixed last part come before those where it varies. */
export const OPERATION_ROUTES: readonly GuardedRoute[] = [
  ...all.flatMap((operation) =>
    operationRoute(operation, { method: 'POST', path: pathOfOperation(operation) }),
  ),
  ...short(operations.agentsList, { method: 'GET', path: '/v1/agents' }),
  ...short(operations.memoryList, { method: 'GET', path: '/v1/memory', paged: true }),
  ...short(operations.memoryAdd, { method: 'POST', path: '/v1/memory', status: 201 }),
  ...short(operations.memorySearch, {
    ...{ method: 'GET', path: '/v1/memory/search', renamed: { q: 'query' } },
  }),
  ...short(operations.memoryGet, { method: 'GET', path: '/v1/memory/:id' }),
  ...short(operations.memoryHistory, { method: 'GET', path: '/v1/memory/:id/history' }),
  ...short(operations.memoryUpdate, { method: 'PATCH', path: '/v1/memory/:id' }),
  ...short(operations.memoryForget, { method: 'DELETE', path: '/v1/memory/:id' }),
  ...short(operations.knowledgeSearch, {
    ...{ method: 'GET', path: '/v1/knowledge/search', renamed: { q: 'query' } },
  }),
  ...short(operations.sectionsList, { method: 'GET', path: '/v1/sections' }),
  ...short(operations.sectionsRetrieve, { method: 'GET', path: '/v1/sections/:section' }),
  ...short(operations.sectionsSave, { method: 'PUT', path: '/v1/sections/:section' }),
  ...short(operations.sectionsRemove, { method: 'DELETE', path: '/v1/sections/:section' }),
];
