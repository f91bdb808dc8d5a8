/** The description of the API as OpenAPI 3.1, made from the same table and schemas that answer requests. */

import { ERROR_TABLE } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import { inputSchema } from './query-input.ts';
import type { GuardedRoute, Route } from './route.ts';

type Json = Record<string, unknown>;

const AGENT_HEADER = {
  name: 'Keepsake-Agent',
  in: 'header',
  required: false,
  description: 'The agent to act as, percent-encoded; for keys that are bound to none.',
  schema: { type: 'string' },
};

const USER_HEADER = {
  name: 'Keepsake-User',
  in: 'header',
  required: false,
  description: 'The user that the call serves, percent-encoded; for keys that are not bound to one.',
  schema: { type: 'string' },
};

const THREAD_HEADER = {
  name: 'Keepsake-Thread',
  in: 'header',
  required: false,
  description:
    'The thread that a call about conversations means, percent-encoded; without it, the one conversation.',
  schema: { type: 'string' },
};

const pathParts = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
const templated = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

function parameters(route: GuardedRoute): Json[] {
  const inPath = pathParts(route.path);
  const { properties = {}, required = [] } = route.verb ? inputSchema(route.verb.input) : {};
  const readsQuery = route.method === 'GET' || route.method === 'DELETE';
  const shown = (name: string) =>
    Object.entries(route.renamed ?? {}).find(([, meant]) => meant === name)?.[0] ?? name;
  return [
    ...inPath.map((name) => ({
      ...{ name, in: 'path', required: true, schema: properties[name] ?? { type: 'string' } },
    })),
    ...(readsQuery ? Object.entries(properties) : [])
      .filter(([name]) => !inPath.includes(name))
      .map(([name, schema]) => ({
        ...{ name: shown(name), in: 'query', required: (required as string[]).includes(name) },
        ...{ description: schema.description, schema },
      })),
    AGENT_HEADER,
    USER_HEADER,
    ...(route.verb?.name.startsWith('log.') ? [THREAD_HEADER] : []),
  ];
}

function requestBody({ method, verb, path }: GuardedRoute): Json {
  if (verb === undefined || method === 'GET' || method === 'DELETE') return {};
  const schema = inputSchema(verb.input);
  const inPath = pathParts(path);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name));
  const required = ((schema.required as string[] | undefined) ?? []).filter((name) => !inPath.includes(name));
  const body = {
    ...{ type: 'object', properties: Object.fromEntries(properties), additionalProperties: false },
    ...(required.length === 0 ? {} : { required }),
  };
  return {
    requestBody: { required: required.length > 0, content: { 'application/json': { schema: body } } },
  };
}

const NOTICE = {
  'Keepsake-Notice': {
    description:
      'What made this answer weaker than usual, for example a search by words only: a JSON list of sentences, percent-encoded. Absent when nothing did.',
    schema: { type: 'string' },
  },
};

function responseOf(route: Route): Json {
  const { response } = route;
  const { $schema: _, ...schema } = z.toJSONSchema(response.schema, { io: 'output', unrepresentable: 'any' });
  const headers = 'verb' in route && route.verb !== undefined ? { headers: NOTICE } : {};
  return { description: 'Success.', ...headers, content: { [response.type]: { schema } } };
}

/** By which a server is known, too. */
export const API_TITLE = 'Keepsake';

function describe(route: Route): Json {
  const refused = { $ref: '#/components/responses/Error' };
  if (route.role === 'anyone') {
    const inPath = pathParts(route.path).map((name) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    }));
    return {
      ...{ summary: route.summary, security: [], tags: ['server'] },
      ...(inPath.length === 0 ? {} : { parameters: inPath }),
      responses: { 200: responseOf(route) },
    };
  }
  const { verb } = route;
  return {
    operationId: `${route.method.toLowerCase()} ${route.path}`.replaceAll(/[^A-Za-z0-9]+/g, '_'),
    tags: [verb?.name.split('.')[0] ?? route.path.split('/')[2] ?? 'server'],
    summary: route.summary,
    ...(verb === undefined ? {} : { description: verb.description }),
    'x-keepsake-role': route.role,
    ...(verb === undefined ? {} : { 'x-keepsake-effect': verb.effect }),
    parameters: parameters(route),
    ...requestBody(route),
    responses: {
      '2XX': responseOf(route),
      ...{ 400: refused, 401: refused, 403: refused, 404: refused, default: refused },
    },
  };
}

export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = templated(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: API_TITLE, version, description: 'Memory for AI agents, over HTTP.' },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      responses: {
        Error: {
          description: 'What failed, and what to do.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: {
                code: { type: 'string', enum: Object.keys(ERROR_TABLE) },
                message: { type: 'string' },
                hint: { type: 'string' },
                details: { type: 'object' },
              },
            },
          },
        },
      },
    },
  };
}
