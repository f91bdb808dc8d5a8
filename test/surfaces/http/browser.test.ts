/** Browsers: pages of other sites stay out, and the local user gets in by a link that works once. */
import { describe, expect, it } from 'vitest';
import { errorCode, testServer } from './support/test-server.ts';

describe('DNS rebinding', () => {
  it.each([
    'evil.example',
    'evil.example:4444',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.7',
    '',
    'a b',
    '[::1',
    'localhost:4444@evil.example',
  ])('a server of this machine does not answer to %j, even with the key of the owner', async (host) => {
    const { ask, ownerKey: key } = await testServer();
    for (const route of ['GET /v1/memory', 'GET /', 'GET /healthz', 'GET /docs']) {
      const response = await ask(route, { key, headers: { host } });
      expect([response.status, await errorCode(response)]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it.each(['localhost', 'LOCALHOST:4444', '127.0.0.1:4444', '127.0.0.2', '[::1]:4444'])(
    'it does to %j',
    async (host) => {
      const { ask, ownerKey: key } = await testServer();
      expect((await ask('GET /v1/memory', { key, headers: { host } })).status).toBe(200);
    },
  );

  it('a server of a network answers to addresses and to the names it was given', async () => {
    const { ask, ownerKey: key } = await testServer({ bound: '0.0.0.0', names: ['memory.example'] });
    const status = async (host: string) => (await ask('GET /v1/memory', { key, headers: { host } })).status;
    expect(await status('10.0.0.7:4444')).toBe(200);
    expect(await status('Memory.Example')).toBe(200);
    expect(await status('evil.example')).toBe(403);
  });
});

describe('the cookie of the local user', () => {
  it('is for this server alone, unseen by scripts, and over HTTPS never sent without it', async () => {
    const { ask, browser } = await testServer();
    const cookieOf = async (address: string) =>
      (await ask(`GET ${address}/?token=${browser.issue()}`)).headers.get('set-cookie') ?? '';
    for (const address of ['http://127.0.0.1:4444', 'https://127.0.0.1:4444']) {
      const cookie = await cookieOf(address);
      expect(cookie).toMatch(/^keepsake_4444=.*HttpOnly.*SameSite=Strict/);
      expect(/; Secure/.test(cookie)).toBe(address.startsWith('https'));
    }
  });
});

describe('pages of other origins', () => {
  it.each([
    'http://evil.example',
    'http://127.0.0.1:3000',
    'https://127.0.0.1:4445',
    'null',
    'file://',
    'http://localhost:4444',
  ])('are refused: %s', async (origin) => {
    const { ask, ownerKey: key } = await testServer();
    const response = await ask('GET /v1/memory', { key, headers: { origin } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('but its own are not', async () => {
    const { ask, ownerKey: key } = await testServer();
    const headers = { origin: 'http://127.0.0.1:4444' };
    expect((await ask('GET /v1/memory', { key, headers })).status).toBe(200);
  });
});

describe('the link of the local user', () => {
  async function visit() {
    const server = await testServer();
    const token = server.browser.issue();
    const response = await server.ask(`GET /?token=${token}`);
    const cookie = response.headers.get('set-cookie') ?? '';
    return { ...server, token, response, cookie, session: cookie.split(';')[0]! };
  }

  it('works once, and leaves nothing of the token in the address', async () => {
    const { ask, token, response, cookie } = await visit();
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(cookie).toMatch(/^keepsake_4444=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(token);
    const again = await ask(`GET /?token=${token}`);
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null]);
    expect((await ask('GET /?token=guess')).status).toBe(401);
  });

  it('opens the API to the page of this server, and to no other', async () => {
    const { ask, session } = await visit();
    const own = { cookie: session, 'sec-fetch-site': 'same-origin' };
    expect((await ask('GET /v1/memory', { headers: own })).status).toBe(200);
    const post = { body: { query: 'x' } };
    const origin = 'http://127.0.0.1:4444';
    expect((await ask('POST /v1/memory/search', { ...post, headers: { ...own, origin } })).status).toBe(200);
    // A page on another port of this machine is of the same site, and its requests carry the cookie.
    for (const site of ['same-site', 'cross-site']) {
      const headers = { cookie: session, 'sec-fetch-site': site };
      expect((await ask('GET /v1/memory', { headers })).status).toBe(401);
      expect((await ask('POST /v1/memory/search', { ...post, headers })).status).toBe(401);
    }
    expect((await ask('POST /v1/memory/search', { ...post, headers: { cookie: session } })).status).toBe(401);
    expect((await ask('GET /v1/memory', { headers: { cookie: 'keepsake_4444=guess' } })).status).toBe(401);
  });

  it('and its session end', async () => {
    const { ask, session, clock, browser } = await visit();
    const late = browser.issue();
    clock.advance(11 * 60_000);
    expect((await ask(`GET /?token=${late}`)).status).toBe(401);
    expect((await ask('GET /v1/memory', { headers: { cookie: session } })).status).toBe(200);
    clock.advance(12 * 3_600_000);
    expect((await ask('GET /v1/memory', { headers: { cookie: session } })).status).toBe(401);
  });

  it('is rebuilt for an admin', async () => {
    const { ask, ownerKey: key } = await visit();
    const { path } = (await (await ask('POST /v1/browser/link', { key })).json()) as { path: string };
    expect((await ask(`GET ${path}`)).status).toBe(303);
  });
});
