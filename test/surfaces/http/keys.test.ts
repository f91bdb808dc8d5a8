/** The life of an API key on a server: it expires, is replaced with an overlap, is managed over HTTP, and its last use is known. */
import { expect, it } from 'vitest';
import { keysCreate, keysList, keysRotate } from '../../../src/administration/keys.ts';
import { DAY, HOUR } from '../../../src/kernel/clock.ts';
import { errorCode, testServer } from './support/test-server.ts';

it('a key opens nothing from the moment it expires', async () => {
  const { ask, folder: workspace, clock } = await testServer();
  const expiresAt = clock.now() + HOUR;
  const { key } = await keysCreate({ name: 'short', role: 'admin', expiresAt }, { workspace, clock });
  expect((await ask('GET /v1/memory', { key })).status).toBe(200);
  clock.advance(HOUR - 1);
  expect((await ask('GET /v1/memory', { key })).status).toBe(200);
  clock.advance(1);
  expect((await ask('GET /v1/memory', { key })).status).toBe(401);
  const past = { name: 'late', role: 'admin', expiresAt: clock.now() } as const;
  await expect(keysCreate(past, { workspace, clock })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('after a rotation both keys work until the overlap is over, then the new one alone', async () => {
  const { ask, makeKey, folder: workspace, clock } = await testServer();
  const old = await makeKey('worker', 'alice');
  const made = await keysRotate(old.id, undefined, { workspace, clock });
  expect(made).toMatchObject({ role: 'worker', agent: 'alice' });
  const statuses = async () =>
    Promise.all([old.key, made.key].map(async (key) => (await ask('GET /v1/memory', { key })).status));
  expect(await statuses()).toEqual([200, 200]);
  clock.advance(DAY);
  expect(await statuses()).toEqual([401, 200]);
  await expect(keysRotate(old.id, 0, { workspace, clock })).rejects.toThrow('is expired');
  // Nobody's life is made longer by being replaced.
  const brief = await keysCreate(
    { name: 'brief', role: 'admin', expiresAt: clock.now() + 1 },
    { workspace, clock },
  );
  await keysRotate('brief', DAY, { workspace, clock });
  clock.advance(1);
  expect((await ask('GET /v1/memory', { key: brief.key })).status).toBe(401);
});

it('an admin manages keys over HTTP: the secret is shown once, and nobody else may', async () => {
  const { ask, ownerKey, makeKey } = await testServer();
  const body = { name: 'ci', role: 'reader', agent: 'alice' };
  const lead = await makeKey('lead');
  expect((await ask('POST /v1/keys', { key: lead.key, body })).status).toBe(403);
  const response = await ask('POST /v1/keys', { key: ownerKey, body });
  expect(response.status).toBe(201);
  const made = (await response.json()) as { id: string; key: string };
  expect((await ask('GET /v1/memory', { key: made.key })).status).toBe(200);
  const listed = await (await ask('GET /v1/keys', { key: ownerKey })).text();
  expect(listed).toContain(made.id);
  expect(listed).not.toContain(made.key);
  expect(listed).not.toContain('hash');
  const rotated = await ask(`POST /v1/keys/${made.id}/rotate`, { key: ownerKey, body: { overlapMs: 0 } });
  const next = (await rotated.json()) as { id: string; key: string };
  expect((await ask('GET /v1/memory', { key: made.key })).status).toBe(401);
  expect((await ask('GET /v1/memory', { key: next.key })).status).toBe(200);
  expect((await ask(`DELETE /v1/keys/${next.id}`, { key: ownerKey })).status).toBe(200);
  expect((await ask('GET /v1/memory', { key: next.key })).status).toBe(401);
  expect(await errorCode(await ask('DELETE /v1/keys/nobody', { key: ownerKey }))).toBe('NOT_FOUND');
  const wrong = await ask('POST /v1/keys', { key: ownerKey, body: { name: 'x', role: 'king' } });
  expect(wrong.status).toBe(400);
});

it('knows when a key was last used', async () => {
  const { ask, makeKey, folder: workspace, clock, keyUse } = await testServer();
  const [used, unused] = [await makeKey('worker', 'alice'), await makeKey('worker', 'bob')];
  clock.advance(HOUR);
  await ask('GET /v1/memory', { key: used.key });
  await keyUse.save();
  const keys = await keysList({ workspace, clock });
  expect(keys.find(({ id }) => id === used.id)?.lastUsedAt).toBe(clock.now());
  expect(keys.find(({ id }) => id === unused.id)?.lastUsedAt).toBe(undefined);
});

it('names a user in a header or in the query of every route, and refuses a header that could mean another one', async () => {
  const { ask, ownerKey: key } = await testServer();
  const as = (user: string) => ({ 'keepsake-agent': 'support', 'keepsake-user': user });
  const body = { content: 'Prefers e-mail.' };
  const made = await ask('POST /v1/memory', { key, body, headers: as(encodeURIComponent('zoë, or not')) });
  expect(((await made.json()) as { user: string }).user).toBe('zoë, or not');
  const found = await ask(`GET /v1/memory?agent=support&user=${encodeURIComponent('zoë, or not')}`, { key });
  expect((await found.json()) as object[]).toHaveLength(1);
  for (const wrong of ['zo\u00eb', 'a, b', '100%'])
    expect((await ask('POST /v1/memory', { key, body, headers: as(wrong) })).status).toBe(400);
});

it('an admin binds keys to one user or to the users of a tenant over HTTP', async () => {
  const { ask, ownerKey } = await testServer();
  const make = async (body: object): Promise<string> => {
    const response = await ask('POST /v1/keys', { key: ownerKey, body });
    expect(response.status).toBe(201);
    return ((await response.json()) as { key: string }).key;
  };
  const tenant = await make({ name: 'org-42', role: 'worker', agent: 'support', userPrefix: 'org/42/' });
  const dana = await make({ name: 'dana', role: 'worker', agent: 'support', user: 'org/42/dana' });
  const write = (key: string, user: string, content: string) =>
    ask('POST /v1/memory', {
      key,
      body: { content },
      headers: { 'keepsake-user': encodeURIComponent(user) },
    });
  expect((await write(tenant, 'org/42/dana', 'Likes green tea.')).status).toBe(201);
  expect((await write(tenant, 'org/43/eve', 'Likes coffee.')).status).toBe(403);
  expect((await write(dana, 'org/42/dana', 'Lives in Basel.')).status).toBe(201);
  expect((await write(dana, 'org/42/finn', 'Likes milk.')).status).toBe(403);
  const listed = (await (await ask('GET /v1/keys', { key: ownerKey })).json()) as object[];
  expect(listed).toMatchObject([{ userPrefix: 'org/42/' }, { user: 'org/42/dana' }]);
  const both = { name: 'x', role: 'worker', agent: 'support', user: 'a', userPrefix: 'b' };
  expect((await ask('POST /v1/keys', { key: ownerKey, body: both })).status).toBe(400);
});
