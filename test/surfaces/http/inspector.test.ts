/** The inspector: a page and files that run nothing from elsewhere, read no content as HTML, and call routes that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';
import { ASSET_TYPES, INSPECTOR_HTML, readAsset } from '../../../src/surfaces/inspector/index.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { testServer } from './support/test-server.ts';

const names = Object.keys(ASSET_TYPES);
const { body: script } = await readAsset('app.js');

describe('the page', () => {
  it('is served under a policy that allows only what the server itself serves', async () => {
    const { ask } = await testServer();
    const response = await ask('GET /');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = response.headers.get('content-security-policy') ?? '';
    const rules = new Map(
      policy.split('; ').map((rule) => {
        const [name = '', ...values] = rule.split(' ');
        return [name, values.join(' ')];
      }),
    );
    expect(rules.get('default-src')).toBe("'none'");
    for (const name of ['script-src', 'style-src', 'connect-src']) expect(rules.get(name)).toBe("'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await response.text()).toBe(INSPECTOR_HTML);
  });

  it('has no script, style or handler of its own', () => {
    expect(INSPECTOR_HTML).not.toMatch(/<script(?![^>]*\bsrc=)/i);
    expect(INSPECTOR_HTML).not.toMatch(/<script[^>]*>[^<]/i);
    expect(INSPECTOR_HTML).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
  });

  it('loads only files that exist, and so does the page of the API', async () => {
    const { ask } = await testServer();
    const docs = await (await ask('GET /docs')).text();
    const loaded = new Set(
      [...`${INSPECTOR_HTML}${docs}`.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name]) => name!),
    );
    expect([...loaded].sort()).toEqual(names.toSorted());
    for (const name of names) expect([name, (await ask(`GET /assets/${name}`)).status]).toEqual([name, 200]);
    expect((await ask('GET /assets/package.json')).status).toBe(404);
    expect((await ask('GET /assets/..%2F..%2Fpackage.json')).status).toBe(404);
  });
});

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

describe('its files', () => {
  it('have their types and may load nothing', async () => {
    const { ask } = await testServer();
    for (const name of names) {
      const response = await ask(`GET /assets/${name}`);
      const { status, headers } = response;
      const type = TYPES[name.split('.').at(-1)!];
      expect([name, status, headers.get('content-type')]).toEqual([name, 200, type]);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'");
      // The name that drawings have by their standard is never asked for.
      const text = (await response.text()).replaceAll('http://www.w3.org/2000/svg', '');
      expect([name, text.match(/[Hh][Tt]{2}[Pp][Ss]?:|["'(]\/\/|@import|\burl\(/)]).toEqual([name, null]);
    }
  });

  it('say how to build them where that was not done', async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    await expect(readAsset('app.js', pathToFileURL(`${folder}/`))).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('has not been built'),
      hint: expect.stringContaining('npm run build'),
    });
  });

  it('read no text as HTML or as a program', () => {
    expect(
      script.match(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|createContextualFragment|setHTML/i,
      ),
    ).toBe(null);
    expect(script.match(/\beval\b|\bFunction\(|javascript:|set(?:Timeout|Interval)\(\s*['"`]/)).toBe(null);
    // Style and handlers as attributes would be refused by the policy.
    expect(script.match(/setAttribute\(\s*['"`](?:style|on)/)).toBe(null);
  });

  it('are one script without the code of the server, and every style sheet of the page', async () => {
    expect(script.match(/^(?:import|export)\b|\bimport\(|\brequire\(/m)).toBe(null);
    const sources = [...script.matchAll(/^\/\/ (src\/.+)$/gm)].map(([, file]) => file!);
    expect(sources.length).toBeGreaterThan(40);
    expect(sources.filter((file) => !file.startsWith('src/surfaces/inspector/page/'))).toEqual([]);
    const { body: css } = await readAsset('inspector.css');
    const folder = join(import.meta.dirname, '../../../src/surfaces/inspector/page/style');
    for (const name of readdirSync(folder)) {
      expect([name, css.includes(readFileSync(join(folder, name), 'utf8'))]).toEqual([name, true]);
    }
  });

  it('call only routes that exist, and name them in one way', () => {
    const known = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    const called = [...script.matchAll(/"((?:GET|POST|PUT|PATCH|DELETE) \/[^"]+)"/g)].map(
      ([, route]) => route!,
    );
    expect(called.length).toBeGreaterThan(20);
    expect(called.filter((route) => !known.has(route))).toEqual([]);
    const mentions = script.match(/\/v1\//g)?.length ?? 0;
    expect(mentions).toBe(called.filter((route) => route.includes(' /v1/')).length);
  });
});

describe('what it asks for', () => {
  it('is answered to the session of the link, and to nobody without', async () => {
    const { ask, browser, client } = await testServer();
    const { id } = await client
      .agent({ name: 'alice' })
      .memory.add({ content: '<img src=x onerror=alert(1)>' });
    const visit = await ask(`GET /?token=${browser.issue()}`);
    const cookie = visit.headers.get('set-cookie')!.split(';')[0]!;
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'if-match': '"1"' };
    expect((await ask('GET /v1/memory')).status).toBe(401);
    const listed = (await (await ask('GET /v1/memory?limit=50&state=live', { headers })).json()) as {
      id: string;
    }[];
    expect(listed.map((memory) => memory.id)).toEqual([id]);
    // As an owner without an agent, who may change everything and sees the quarantine.
    const pinned = await ask(`PATCH /v1/memory/${id}`, { headers, body: { pinned: true } });
    expect(await pinned.json()).toMatchObject({ pinned: true, version: 2 });
    const undone = await ask('POST /v1/memory/undo', {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: { id, ifVersion: 2 },
    });
    expect(await undone.json()).toMatchObject({ pinned: false, version: 3 });
    expect((await ask('POST /v1/guard/list', { headers, body: { limit: 50, state: 'any' } })).status).toBe(
      200,
    );
    expect((await ask('GET /v1/agents', { headers })).status).toBe(200);
    expect(
      (await ask(`DELETE /v1/memory/${id}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status,
    ).toBe(200);
  });
});
