/** API keys over HTTP, for admins: the same as `keepsake keys` on the machine of the server. */

import { type KeysTarget, keysCreate, keysList, keysRevoke, keysRotate } from '../../administration/keys.ts';
import { ROLES } from '../../kernel/scope.ts';
import { validate } from '../../kernel/validate.ts';
import { z } from '../../kernel/zod.ts';
import { jsonAnswer } from './answers.ts';
import { readJson } from './read-body.ts';
import type { Route, ServerParts } from './route.ts';

const MAX_BODY = 16 * 1024;

const key = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  agent: z.string().optional(),
  user: z.string().optional(),
  userPrefix: z.string().optional(),
  createdAt: z.int(),
  revokedAt: z.int().optional(),
  expiresAt: z.int().optional(),
  lastUsedAt: z.int().optional(),
});
const createdKey = key.extend({ key: z.string().describe('The secret; it is shown this once.') });

const rotation = z.strictObject({
  overlapMs: z.int().min(0).max(31_536_000_000).optional(),
});

const targetOf = ({ engine }: ServerParts): KeysTarget => ({
  workspace: engine.paths.root,
  clock: engine.clock,
});

const JSON_OF = <Schema extends z.ZodType>(schema: Schema) => ({ type: 'application/json', schema }) as const;

const identity = z.strictObject({
  role: z.enum(ROLES),
  agent: z.string().nullable().describe('The agent that it speaks for; null for any, or for none.'),
  user: z.string().nullable(),
});

export const KEY_ROUTES: readonly Route[] = [
  {
    ...{
      method: 'GET',
      path: '/v1/whoami',
      role: 'reader',
      summary: 'Says what the key of this call may do.',
    },
    response: JSON_OF(identity),
    handle: async (context, { viewer }, _parts) => {
      const { role, agent = null, user = null } = viewer;
      return jsonAnswer(context, { role, agent, user });
    },
  },
  {
    ...{ method: 'GET', path: '/v1/keys', role: 'admin', summary: 'Lists the API keys, without secrets.' },
    audited: { name: 'keys.list', effect: 'read' },
    response: JSON_OF(z.array(key)),
    handle: async (context, _caller, parts) => jsonAnswer(context, await keysList(targetOf(parts))),
  },
  {
    ...{ method: 'POST', path: '/v1/keys', role: 'admin' },
    audited: { name: 'keys.create', effect: 'write' },
    summary: 'Creates an API key; its secret is in this answer and nowhere else.',
    response: JSON_OF(createdKey),
    handle: async (context, _caller, parts) => {
      const given = await readJson(context, MAX_BODY);
      const made = await keysCreate(given as Parameters<typeof keysCreate>[0], targetOf(parts));
      return jsonAnswer(context, made, { status: 201 });
    },
  },
  {
    ...{ method: 'POST', path: '/v1/keys/:id/rotate', role: 'admin' },
    audited: { name: 'keys.rotate', effect: 'write' },
    summary: 'Replaces an API key: the old one stays valid for a while, the new secret is in this answer.',
    response: JSON_OF(createdKey),
    handle: async (context, _caller, parts) => {
      const { overlapMs } = validate(rotation, await readJson(context, MAX_BODY), 'keys.rotate');
      const made = await keysRotate(context.req.param('id') ?? '', overlapMs, targetOf(parts));
      return jsonAnswer(context, made, { status: 201 });
    },
  },
  {
    ...{ method: 'DELETE', path: '/v1/keys/:id', role: 'admin', summary: 'Revokes an API key at once.' },
    audited: { name: 'keys.revoke', effect: 'destroy' },
    response: JSON_OF(key),
    handle: async (context, _caller, parts) =>
      jsonAnswer(context, await keysRevoke(context.req.param('id') ?? '', targetOf(parts))),
  },
];
