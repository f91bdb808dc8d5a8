/** REST: operations by their names, the short routes, and what a server refuses before any operation sees it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../../src/index.ts';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { errorCode, testServer } from './support/test-server.ts';

describe('REST', () => {
  it('offers every verb under its name', async () => {
    const { ask, makeKey } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    const body = { content: 'Prefers tea over coffee.', category: 'preference' };
    const added = await ask('POST /v1/memory/add', { key, body });
    expect(added.status).toBe(200);
    expect(added.headers.get('etag')).toBe('"1"');
    expect(added.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const memory = (await added.json()) as MemoryRecord;
    expect(memory).toMatchObject({ ...body, agent: 'alice' });
    const found = await ask('POST /v1/memory/search', { key, body: { query: 'tea' } });
    expect(await found.json()).toMatchObject([{ id: memory.id }]);
    const saved = await ask('POST /v1/sections/save', { key, body: { section: 'plans', content: 'One.' } });
    expect(saved.status).toBe(200);
    expect(await (await ask('GET /v1/sections/plans', { key })).json()).toMatchObject({ content: 'One.' });
  });

  it('has short routes for memories', async () => {
    const { ask, makeKey } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    for (const n of [1, 2, 3]) {
      const made = await ask('POST /v1/memory', {
        key,
        body: { content: `Note number ${n}`, tags: ['a', `t${n}`] },
      });
      expect(made.status).toBe(201);
    }
    const first = await ask('GET /v1/memory?limit=2&tags=a', { key });
    const page = (await first.json()) as MemoryRecord[];
    expect(page.map(({ content }) => content)).toEqual(['Note number 3', 'Note number 2']);
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
    const rest = await ask(`GET ${next}`, { key });
    expect(rest.headers.get('link')).toBeNull();
    expect(((await rest.json()) as MemoryRecord[]).map(({ content }) => content)).toEqual(['Note number 1']);
    const id = page[0]!.id;
    expect(await (await ask('GET /v1/memory/search?q=note&limit=1&tags=a,t3', { key })).json()).toMatchObject(
      [{ id }],
    );
    expect(await (await ask(`GET /v1/memory/${id}`, { key })).json()).toMatchObject({ id });
    expect(await (await ask(`GET /v1/memory/${id}/history`, { key })).json()).toHaveLength(1);
    expect((await ask(`DELETE /v1/memory/${id}`, { key })).status).toBe(200);
    expect(await (await ask(`GET /v1/memory/${id}`, { key })).json()).toMatchObject({ state: 'forgotten' });
    expect(await errorCode(await ask('GET /v1/memory?limit=many', { key }))).toBe('INVALID_INPUT');
    expect(await errorCode(await ask('GET /v1/memory?limit=1&limit=2', { key }))).toBe('INVALID_INPUT');
    expect(await errorCode(await ask('GET /v1/memory?__proto__=1', { key }))).toBe('INVALID_INPUT');
  });

  it('changes a memory only at the version that If-Match names', async () => {
    const { ask, makeKey } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    const { id } = (await (
      await ask('POST /v1/memory', { key, body: { content: 'one' } })
    ).json()) as MemoryRecord;
    const headers = { 'if-match': '"1"' };
    const changed = await ask(`PATCH /v1/memory/${id}`, { key, headers, body: { content: 'two' } });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    const late = await ask(`PATCH /v1/memory/${id}`, { key, headers, body: { content: 'three' } });
    expect([late.status, await errorCode(late)]).toEqual([412, 'CONFLICT']);
    const plain = await ask('POST /v1/memory/update', { key, body: { id, ifVersion: 1, content: 'three' } });
    expect([plain.status, await errorCode(plain)]).toEqual([409, 'CONFLICT']);
    const odd = await ask(`PATCH /v1/memory/${id}`, { key, headers: { 'if-match': 'x' }, body: {} });
    expect(odd.status).toBe(400);
    // The address decides which memory is meant.
    const body = { id: 'mem_other', content: 'four' };
    expect(await (await ask(`PATCH /v1/memory/${id}`, { key, body })).json()).toMatchObject({ id });
  });

  it('lets the owner act as himself, and as any agent', async () => {
    const { ask, ownerKey: key } = await testServer();
    const as = (agent: string) => ({ 'keepsake-agent': encodeURIComponent(agent) });
    const body = { content: 'A private thought.' };
    expect(await errorCode(await ask('POST /v1/memory', { key, body }))).toBe('INVALID_INPUT');
    expect((await ask('POST /v1/memory', { key, body, headers: as('Zoë 漢字') })).status).toBe(201);
    expect(await (await ask('GET /v1/memory', { key })).json()).toMatchObject([{ agent: 'Zoë 漢字' }]);
    expect(await (await ask('GET /v1/memory', { key, headers: as('bob') })).json()).toEqual([]);
    expect(await (await ask('GET /v1/memory?agent=bob', { key })).json()).toEqual([]);
    expect(await (await ask('GET /v1/agents', { key })).json()).toMatchObject([
      { name: 'Zoë 漢字', facts: 1 },
    ]);
    expect(await errorCode(await ask('GET /v1/memory', { key, headers: as('../evil') }))).toBe(
      'INVALID_NAME',
    );
  });

  it('reads no file outside of the workspace', async () => {
    const { ask, makeKey } = await testServer();
    const { key } = await makeKey('lead', 'alice');
    const response = await ask('POST /v1/knowledge/add', { key, body: { path: '/etc/hostname' } });
    expect([response.status, await errorCode(response)]).toEqual([403, 'FORBIDDEN']);
    const own = await ask('POST /v1/knowledge/add', { key, body: { path: 'data/server.key' } });
    expect(own.status).toBeGreaterThanOrEqual(400);
  });

  it('finds files by their path in the workspace, and does not say which exist outside of it', async () => {
    const { ask, makeKey, folder } = await testServer();
    const { key } = await makeKey('lead', 'alice');
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'present.md'), 'Secret.');
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(join(outside, 'present.md'), join(folder, 'present'));
    symlinkSync(join(outside, 'missing.md'), join(folder, 'missing'));
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs/a.md'), 'About apples.');
    const add = async (path: string) => {
      const response = await ask('POST /v1/knowledge/add', { key, body: { path } });
      const text = await response.text();
      return { status: response.status, text: text.replaceAll(/present|missing|[\da-f-]{36}/g, '…') };
    };
    expect((await add('docs/a.md')).status).toBe(200);
    expect((await add(join(folder, 'docs'))).status).toBe(200);
    for (const [way, status] of [
      [join(outside, '%.md'), 403],
      [relative(folder, join(outside, '%.md')), 403],
      [`${outside}/present.md/%`, 403],
      ['link/%.md', 404],
      ['%', 404],
    ] as const) {
      const [present, missing] = [way.replace('%', 'present'), way.replace('%', 'missing')];
      expect(await add(present)).toEqual(await add(missing));
      expect((await add(present)).status).toBe(status);
    }
  });
});

describe('a body', () => {
  it.each([
    ['not JSON', '{"content": '],
    ['a list', '[]'],
    ['a text', '"content"'],
    ['null', 'null'],
    ['an unknown field', '{"content":"x","evil":1}'],
    ['a prototype', '{"content":"x","__proto__":{"a":1}}'],
    ['the wrong type', '{"content":1}'],
    ['deeper than any data', `{"content":"x","metadata":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`],
    ['nothing', undefined],
    ['half a character in bytes', new Uint8Array([0x22, 0xff, 0x22])],
  ])('that is %s is refused in words', async (_, body) => {
    const { ask, makeKey, defects } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    const response = await ask('POST /v1/memory', {
      key,
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : Buffer.from(body).toString('latin1') }),
    });
    const { error } = (await response.json()) as { error: { code: string; message: string; hint: string } };
    expect([response.status, error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(error.hint).not.toBe('');
    expect(defects).toEqual([]);
  });

  it('must be JSON by its header too, so that no form of another site can send it', async () => {
    const { ask, makeKey } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const response = await ask('POST /v1/memory', {
        ...{ key, body: { content: 'x' }, headers: { 'content-type': type } },
      });
      expect(await errorCode(response)).toBe('INVALID_INPUT');
    }
  });

  it('has a limit, announced or not', async () => {
    const { ask, makeKey } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    const body = JSON.stringify({ content: 'x'.repeat(5 * 1024 * 1024) });
    for (const headers of [{ 'content-length': String(body.length) }, {}] as Record<string, string>[]) {
      const response = await ask('POST /v1/memory', { key, body, headers });
      expect([response.status, await errorCode(response)]).toEqual([413, 'TOO_LARGE']);
    }
    // The longest memory in the widest script is not too long for the server; here its operation refuses it.
    const longest = { content: '漢'.repeat(1_000_000), evil: 1 };
    expect(await errorCode(await ask('POST /v1/memory', { key, body: longest }))).toBe('INVALID_INPUT');
  });
});

describe('an answer', () => {
  it('is compressed when it is long and the caller can read that', async () => {
    const { ask, makeKey } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    const content = 'many words '.repeat(2_000);
    await ask('POST /v1/memory', { key, body: { content } });
    const packed = await ask('GET /v1/memory', { key, headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const text = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString();
    expect(JSON.parse(text)).toMatchObject([{ content }]);
    expect((await ask('GET /v1/memory', { key })).headers.get('content-encoding')).toBeNull();
  });

  it('tells nothing about a defect but its number', async () => {
    const { ask, makeKey, client, defects } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    const engine = await client.open();
    Object.defineProperty(engine.records, 'list', {
      value: () => Promise.reject(new Error('secret detail')),
    });
    const response = await ask('GET /v1/memory', { key, headers: { 'x-request-id': 'my-1' } });
    const text = await response.text();
    expect([response.status, response.headers.get('x-request-id')]).toEqual([500, 'my-1']);
    expect(text).not.toContain('secret detail');
    expect(text).toContain('my-1');
    expect(defects).toHaveLength(1);
  });
});

interface DescribedRoute {
  readonly requestBody?: unknown;
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

describe('an address that is asked for in the wrong way', () => {
  it('says which ways there are', async () => {
    const { ask, ownerKey: key } = await testServer();
    for (const [line, allow] of [
      ['PUT /v1/memory', 'POST, GET'],
      ['DELETE /healthz', 'GET'],
    ] as const) {
      const answer = await ask(line, { key });
      expect([line, answer.status, answer.headers.get('allow')]).toEqual([line, 405, allow]);
    }
    for (const line of ['GET /v1/nothing', 'POST /v1/memory/ad']) {
      expect((await ask(line, { key, ...(line.startsWith('P') ? { body: {} } : {}) })).status).toBe(404);
    }
  });
});

describe('the description of the API', () => {
  it('covers every route, and resolves', async () => {
    const { ask } = await testServer();
    const api = (await (await ask('GET /openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, DescribedRoute>>;
    };
    expect(api.openapi).toBe('3.1.0');
    expect(api.paths['/v1/memory/add']?.post?.requestBody).toMatchObject({
      content: { 'application/json': { schema: { required: ['content'], additionalProperties: false } } },
    });
    expect(Object.keys(api.paths['/v1/memory/{id}'] ?? {}).sort()).toEqual(['delete', 'get', 'patch']);
    const ids = Object.values(api.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    const named = ids.filter((id) => id !== undefined);
    expect(new Set(named).size).toBe(named.length);
    // Every part of an address that varies is described, and nothing else is.
    for (const [path, methods] of Object.entries(api.paths)) {
      const varies = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      for (const { parameters = [] } of Object.values(methods)) {
        const told = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
        expect([path, told]).toEqual([path, varies]);
      }
    }
  });

  it('is a page that loads nothing from elsewhere', async () => {
    const { ask } = await testServer();
    const page = await ask('GET /docs');
    const html = await page.text();
    const shown = [...html.matchAll(/<details class="route" id="([^"]+)">/g)].map(([, id]) => id!);
    expect([shown.length, new Set(shown).size]).toEqual([ROUTES.length, ROUTES.length]);
    const search = html.slice(html.indexOf('id="get-v1-memory-search"'));
    expect(search.slice(0, search.indexOf('</details>'))).toMatch(/<code>q<\/code> <b class="required">/);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await ask('GET /assets/page.css')).headers.get('content-type')).toContain('text/css');
  });
});

describe('signs of life', () => {
  it('are few for strangers, and numbers for the owner', async () => {
    const { ask, ownerKey: key } = await testServer();
    expect(await (await ask('GET /healthz')).text()).toBe('{"ok":true}');
    await ask('POST /v1/memory', { key, headers: { 'keepsake-agent': 'alice' }, body: { content: 'x' } });
    expect((await ask('GET /metrics')).status).toBe(401);
    const text = await (await ask('GET /metrics', { key })).text();
    expect(text).toContain('keepsake_records 1\n');
    expect(text).toContain('keepsake_embedding_up 1\n');
    expect(text).toContain('keepsake_http_requests_total{method="POST",route="/v1/memory",status="201"} 1\n');
    expect(text).toMatch(/keepsake_http_request_duration_seconds_bucket\{.*le="\+Inf"\} 1\n/);
  });
});
