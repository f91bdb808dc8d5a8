/** What a server refuses so that it can go on serving: too many requests, too many connections, and bodies of any kind. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { verbRoutes } from '../../../src/surfaces/http/verb-routes.ts';
import { VERBS } from '../../../src/verbs.ts';
import { chooseSeed } from '../../faults/support/chance.ts';
import { campaign } from '../../fixtures/campaign.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { errorCode, testServer } from './support/test-server.ts';

describe('requests per second', () => {
  it('are limited for each key alone, with the time to wait', async () => {
    const { ask, ownerKey, makeKey, clock } = await testServer(undefined, 5);
    const { key: other } = await makeKey('admin');
    const list = (key: string) => ask('GET /v1/agents', { key });
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await list(ownerKey)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    const refused = await list(ownerKey);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await errorCode(refused)).toBe('RATE_LIMITED');
    expect((await list(other)).status).toBe(200);
    clock.advance(200);
    expect((await list(ownerKey)).status).toBe(200);
    expect((await list(ownerKey)).status).toBe(429);
  });

  it('are not used up by a stream that goes on', async () => {
    const { ask, makeKey, client } = await testServer(undefined, 5);
    const { key } = await makeKey('reader', 'worker');
    const swarm = client.swarm({ name: 'swarm', agents: [{ name: 'worker' }], lead: { name: 'lead' } });
    const run = await swarm.start({ task: 'Count.', state: { count: 0 } });
    const heard = (await ask(`GET /v1/state/watch?id=${run.id}`, { key })).text();
    for (let i = 0; i < 30; i++) await run.state.increment('/count', 1);
    await run.cancel();
    // More than this key may ask for at once; the end of the run is told at last.
    const text = await heard;
    expect(text.match(/^data: \{/gm)?.length).toBeGreaterThanOrEqual(30);
    expect(text).toMatch(/data: null\n\n$/);
    expect((await ask('GET /v1/memory', { key })).status).toBe(200);
  });
});

describe('a section', () => {
  it('is replaced only as it was read', async () => {
    const { ask, ownerKey: key } = await testServer();
    const headers = { 'keepsake-agent': 'alice' };
    const put = (content: string, more = {}) =>
      ask('PUT /v1/sections/plans', { key, headers: { ...headers, ...more }, body: { content } });
    await put('one');
    const read = await ask('GET /v1/sections/plans', { key, headers });
    const tag = read.headers.get('etag')!;
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    const saved = await put('two', { 'if-match': tag });
    expect(saved.status).toBe(200);
    expect((await put('three', { 'if-match': tag })).status).toBe(412);
    expect((await put('three', { 'if-match': saved.headers.get('etag')! })).status).toBe(200);
  });

  it('stays as it is when a condition cannot be understood, or not be kept', async () => {
    const { ask, ownerKey: key } = await testServer();
    const headers = { 'keepsake-agent': 'alice' };
    await ask('PUT /v1/sections/plans', { key, headers, body: { content: 'one' } });
    for (const tag of ['plain', '"not a hash"', '"a", "b"', '']) {
      const more = { ...headers, 'if-match': tag };
      const saved = await ask('PUT /v1/sections/plans', { key, headers: more, body: { content: 'two' } });
      expect([tag, saved.status, await errorCode(saved)]).toEqual([tag, 400, 'INVALID_INPUT']);
    }
    const more = { ...headers, 'if-match': '"1"' };
    expect((await ask('DELETE /v1/sections/plans', { key, headers: more })).status).toBe(400);
    const read = await ask('GET /v1/sections/plans', { key, headers: more });
    expect([read.status, ((await read.json()) as { content: string }).content]).toEqual([200, 'one']);
  });
});

describe('many who change the same version at once', () => {
  it('are all refused but one: of a memory, a section and a state', async () => {
    const { ask, ownerKey: key, client } = await testServer();
    const headers = { 'keepsake-agent': 'alice' };
    const { id } = await client.agent({ name: 'alice' }).memory.add({ content: 'Before.' });
    const { hash } = await client.agent({ name: 'alice' }).sections.save('plans', 'Before.');
    const swarm = client.swarm({ name: 'swarm', agents: [{ name: 'alice' }], lead: { name: 'lead' } });
    const run = await swarm.start({ task: 'Race.', state: { winner: null } });
    for (const [line, tag, body] of [
      [`PATCH /v1/memory/${id}`, '1', (i: number) => ({ content: `Number ${i}.` })],
      ['PUT /v1/sections/plans', hash, (i: number) => ({ content: `Number ${i}.` })],
      ['POST /v1/state/set', '1', (i: number) => ({ id: run.id, path: '/winner', value: i })],
    ] as const) {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const more = { ...headers, 'if-match': `"${tag}"` };
          return (await ask(line, { key, headers: more, body: body(i) })).status;
        }),
      );
      expect([line, statuses.sort()]).toEqual([line, [200, ...Array.from({ length: 19 }, () => 412)]]);
    }
    await run.cancel();
  });
});

describe('any body', () => {
  it('is answered or refused, never with a defect', { timeout: campaign(60_000, 3_600_000) }, async () => {
    const { ask, ownerKey: key, defects } = await testServer();
    // Indexing reads the disk and compacting writes it; both have tests of their own.
    const routes = [
      ...verbRoutes(VERBS).filter(
        ({ method, path }) => method === 'POST' && !/knowledge|notes|compact|restore/.test(path),
      ),
      { path: '/mcp', verb: undefined },
    ];
    const names = [
      ...new Set(
        routes.flatMap(({ verb }) =>
          Object.keys((verb?.input as { shape?: object } | undefined)?.shape ?? {}),
        ),
      ),
    ];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        'mem_0',
        '__proto__',
        '../../x',
        '\u0000',
        -1,
        1e308,
        null,
        [],
        {},
        true,
        '2026-01-01T00:00:00Z',
      ),
    );
    const body = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .dictionary(fc.constantFrom(...names), value, { maxKeys: 5 })
          .map((each) => JSON.stringify(each)),
      },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    );
    const seed = chooseSeed();
    const cases = fc.sample(fc.tuple(fc.constantFrom(...routes), body), {
      numRuns: campaign(3_000, 200_000),
      seed,
    });
    const statuses = new Map<number, number>();
    for (const [route, text] of cases) {
      const response = await ask(`POST ${route.path}`, {
        key,
        headers: { 'keepsake-agent': 'fuzz', accept: 'application/json, text/event-stream' },
        body: text,
      });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status >= 500) expect([route.path, text, await response.text()]).toEqual([]);
    }
    console.log(`any body: seed ${seed}, ${JSON.stringify([...statuses])}`);
    expect(defects).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(50);
    expect(statuses.get(400)).toBeGreaterThan(1_000);
  });
});

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtDxkfEoPA5voEgWl
INLEiVEcVxm9wpfFsFkDVW8DUCyhRANCAAT2ePDuMQm/o151gRLEyfUA0QXy+JYU
OkOY9Cf92fhU196NfXZlGoD7V5KLlJ2ABd5SxmobITeeoWI1t71mTfOe
-----END PRIVATE KEY-----
`;
const CERT = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUA8CSZD1yUI83Y+M9DffHnYvZY/cwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjIwMDAxMloYDzIxMjYxMDIz
MjAwMDEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT2ePDuMQm/o151gRLEyfUA0QXy+JYUOkOY9Cf92fhU196NfXZlGoD7
V5KLlJ2ABd5SxmobITeeoWI1t71mTfOeo28wbTAdBgNVHQ4EFgQUgZ+prIAtcvPV
F56mosVd71LdSW0wHwYDVR0jBBgwFoAUgZ+prIAtcvPVF56mosVd71LdSW0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgGgKkdtLRqr16by1JsRLXSsfQUAstUx1Dq82F2aCG0lECIBla
MmPfZpHreWixxHbh3zoX8cuXajHH37RgbGhhzicL
-----END CERTIFICATE-----
`;

describe('a server', () => {
  it('speaks HTTPS with a certificate, and closes connections beyond its limit', async () => {
    const engine = await testWorkspace()
      .open({ config: { server: { maxConnections: 2 } } })
      .open();
    const server = await serve(engine, { port: 0, version: '0', tls: { cert: CERT, key: KEY } });
    onTestFinished(() => server.stop());
    expect(server.url).toMatch(/^https:/);
    const status = () =>
      new Promise<number | string>((resolve) => {
        const sent = request(`${server.url}/healthz`, { ca: CERT, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode!);
        });
        sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
        sent.end();
      });
    expect(await status()).toBe(200);
    const hold = () =>
      new Promise<ReturnType<typeof connect>>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => resolve(socket));
        socket.on('error', () => {});
      });
    // Those that say nothing make room for those that do.
    const silent = await Promise.all([hold(), hold()]);
    expect(await status()).toBe(200);
    for (const socket of silent) socket.destroy();
    const key = readFileSync(server.serverKeyFile, 'utf8').trim();
    const streams = await Promise.all(
      [1, 2].map(
        () =>
          new Promise<ReturnType<typeof request>>((resolve) => {
            const headers = { authorization: `Bearer ${key}` };
            const sent = request(`${server.url}/v1/events`, { ca: CERT, agent: false, headers }, () =>
              resolve(sent),
            );
            sent.on('error', () => {});
            sent.end();
          }),
      ),
    );
    expect(await status()).toMatch(/^(?:ECONNRESET|EPIPE)$/);
    for (const stream of streams) stream.destroy();
  });

  /** What a server says to bytes, until it closes the connection. */
  const told = (port: number, bytes: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (part) => {
        text += String(part);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(text.split('\r\n')[0]!));
    });

  it('closes connections on which nobody says what he wants', async () => {
    const engine = await testWorkspace().open().open();
    const server = await serve(engine, { port: 0, version: '0', headersMs: 300 });
    onTestFinished(() => server.stop());
    const beginnings = ['', 'GET /healthz HTTP/1.1\r\nHost: 127'];
    const said = await Promise.all(beginnings.map((bytes) => told(server.port, bytes)));
    expect(said).toEqual(['HTTP/1.1 408 Request Timeout', 'HTTP/1.1 408 Request Timeout']);
  });

  it('serves others while 1,024 connections stay half open', { timeout: 120_000 }, async () => {
    const engine = await testWorkspace().open().open();
    const server = await serve(engine, { port: 0, version: '0' });
    onTestFinished(() => server.stop());
    const beginnings = ['', 'POST /v1/memory HTTP/1.1\r\nHost: 127'];
    const half = Array.from({ length: 1_024 }, (_, i) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(beginnings[i % 2]!));
      socket.on('error', () => {});
      return socket;
    });
    onTestFinished(() => {
      for (const socket of half) socket.destroy();
    });
    await Promise.all(half.map((socket) => socket.connecting && once(socket, 'connect')));
    // Without an attempt more, and without waiting for the patience with the others to end.
    for (let i = 0; i < 20; i++) {
      const answer = await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } });
      expect(answer.status).toBe(200);
    }
    expect(half.filter((socket) => !socket.destroyed).length).toBeGreaterThan(900);
  });

  it('refuses what is smuggled or meant for a proxy', async () => {
    const engine = await testWorkspace().open().open();
    const server = await serve(engine, { port: 0, version: '0' });
    onTestFinished(() => server.stop());
    const own = `Host: 127.0.0.1:${server.port}\r\nConnection: close\r\n`;
    const twice = 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    for (const [bytes, status] of [
      [`POST /v1/memory HTTP/1.1\r\n${own}${twice}`, 400],
      [`GET http://elsewhere.example/docs HTTP/1.1\r\n${own}\r\n`, 403],
      ['GET /docs HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n', 403],
      [`GET /healthz HTTP/1.1\r\n${own}\r\n`, 200],
    ] as const) {
      const [, code] = (await told(server.port, bytes)).split(' ');
      expect([bytes, Number(code)]).toEqual([bytes, status]);
    }
  });

  it('says what is wrong with a certificate', async () => {
    const engine = await testWorkspace().open().open();
    await expect(
      serve(engine, { port: 0, version: '0', tls: { cert: 'x', key: 'y' } }),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: expect.stringContaining('--tls-cert'),
    });
  });
});
