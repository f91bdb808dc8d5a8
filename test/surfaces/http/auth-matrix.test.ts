/** Every route with every kind of key: who may use it is what the table says, and nobody else gets anything. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keysRevoke } from '../../../src/administration/keys.ts';
import { ROLES, type Role } from '../../../src/kernel/scope.ts';
import { pathOf } from '../../../src/kernel/verb.ts';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';
import { VERBS } from '../../../src/verbs.ts';
import { errorCode, testServer } from './support/test-server.ts';

const RANK: Readonly<Record<Role, number>> = { reader: 0, worker: 1, lead: 2, admin: 3 };

describe('the table of routes', () => {
  it('has a route for every verb, with the role of the verb', () => {
    for (const verb of VERBS) {
      const route = ROUTES.find(({ method, path }) => method === 'POST' && path === pathOf(verb));
      expect([verb.name, route?.role]).toEqual([verb.name, verb.role]);
    }
  });

  it('lets nobody change anything who may only read', () => {
    for (const { role, effect } of VERBS) {
      if (effect !== 'read') expect(RANK[role]).toBeGreaterThanOrEqual(RANK.worker);
    }
  });

  it('opens to anyone only what says nothing', () => {
    const open = ROUTES.filter(({ role }) => role === 'anyone').map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(open).toEqual([
      'GET /healthz',
      'GET /readyz',
      'GET /',
      'GET /assets/:name',
      'GET /docs',
      'GET /guide',
      'GET /openapi.json',
    ]);
  });
});

describe('every guarded route', () => {
  it('refuses no key, wrong keys, revoked keys, lower roles and foreign agents; and lets the others in', async () => {
    const server = await testServer();
    const { id: revokedId, key: revoked } = await server.makeKey('admin');
    await keysRevoke(revokedId, { workspace: server.folder, clock: server.clock });
    const keys = Object.fromEntries(
      await Promise.all(
        ROLES.map(async (role) => [role, (await server.makeKey(role, 'alice')).key] as const),
      ),
    ) as Record<Role, string>;
    const { key: freeLead } = await server.makeKey('lead');
    const wrong = [
      undefined,
      '',
      'x',
      keys.admin.slice(0, -1),
      `${keys.admin}x`,
      keys.admin.toUpperCase(),
      `${keys.reader.slice(0, 17)}${keys.admin.slice(17)}`,
      revoked,
    ];
    let cells = 0;
    for (const route of ROUTES) {
      if (route.role === 'anyone') continue;
      const line = `${route.method} ${route.path.replaceAll(/:\w+/g, 'mem_1')}`;
      const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: {} };
      for (const key of wrong) {
        const response = await server.ask(line, { key, ...body });
        expect([line, key, response.status, await errorCode(response)]).toEqual([
          ...[line, key, 401, 'UNAUTHORIZED'],
        ]);
        cells++;
      }
      for (const role of ROLES) {
        const response = await server.ask(line, { key: keys[role], ...body });
        await response.body?.cancel();
        const refused = response.status === 401 || response.status === 403;
        expect([line, role, refused]).toEqual([line, role, RANK[role] < RANK[route.role]]);
        expect(response.status).not.toBe(500);
        cells++;
        // Another agent than that of the key, by header and by query.
        for (const [where, headers] of [
          [line, { 'keepsake-agent': 'bob' }],
          [`${line}?agent=bob`, {}],
        ] as const) {
          const foreign = await server.ask(where, { key: keys[role], headers, ...body });
          await foreign.body?.cancel();
          if (role !== 'admin') expect([where, role, foreign.status]).toEqual([where, role, 403]);
          cells++;
        }
      }
      // Nobody gains by asking for a higher role.
      for (const role of ROLES) {
        if (RANK[role] >= RANK[route.role]) continue;
        const headers = { 'keepsake-role': 'admin' };
        const response = await server.ask(line, { key: keys[role], headers, ...body });
        expect([line, role, response.status]).toEqual([line, role, 403]);
        cells++;
      }
      const free = await server.ask(line, { key: freeLead, headers: { 'keepsake-agent': 'bob' }, ...body });
      await free.body?.cancel();
      expect(free.status === 403).toBe(route.role === 'admin');
    }
    expect(cells).toBeGreaterThan(1_000);
    expect(server.defects).toEqual([]);
  });

  it('refuses other ways to show a key', async () => {
    const { ask, ownerKey } = await testServer();
    for (const headers of [
      { authorization: ownerKey },
      { authorization: `Basic ${btoa(`keepsake:${ownerKey}`)}` },
      { authorization: `Bearer ${ownerKey} ${ownerKey}` },
      { cookie: `keepsake_4444=${ownerKey}` },
      { 'x-api-key': ownerKey },
    ] as Record<string, string>[]) {
      expect((await ask('GET /v1/memory', { headers })).status).toBe(401);
    }
    expect((await ask(`GET /v1/memory?key=${ownerKey}`)).status).toBe(401);
  });
});

describe('a file of keys that cannot be read', () => {
  it('lets nobody in but the owner, tells callers nothing about it, and the owner all', async () => {
    const { ask, makeKey, ownerKey, folder, defects } = await testServer();
    const { key } = await makeKey('admin');
    writeFileSync(join(folder, 'data/keys.json'), '{ broken');
    for (const each of [key, `${key.slice(0, -3)}xyz`]) {
      const response = await ask('GET /v1/agents', { key: each });
      const text = await response.text();
      expect([response.status, text.includes('UNAVAILABLE')]).toEqual([503, true]);
      expect(text).not.toContain(folder);
      expect(text).not.toContain('keys.json');
    }
    expect(String(defects[0])).toContain('keys.json is not a list of API keys');
    expect((await ask('GET /v1/agents', { key: ownerKey })).status).toBe(200);
  });
});

describe('a route that nobody declared', () => {
  it('does not exist, whatever the key', async () => {
    const { ask, ownerKey: key } = await testServer();
    for (const line of [
      'GET /v1/secrets',
      'POST /v1/keys/create',
      'POST /v1/memory/everything',
      'GET /v1/memory/add/x',
      'GET /data/server.key',
      'GET /assets/../data/server.key',
      'GET /assets/..%2fdata%2fserver.key',
    ]) {
      const response = await ask(line, { key });
      expect([line, response.status]).toEqual([line, 404]);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
    for (const line of ['PUT /v1/memory/add', 'OPTIONS /v1/memory']) {
      const response = await ask(line, { key });
      expect([line, response.status]).toEqual([line, 405]);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
