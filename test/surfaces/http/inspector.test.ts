/** The inspector: a page and files that run nothing from elsewhere, read no content as HTML, and call routes that exist. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';
import { INSPECTOR_ASSETS, INSPECTOR_HTML } from '../../../src/surfaces/inspector/index.ts';
import { testServer } from './support/test-server.ts';

const assets = Object.entries(INSPECTOR_ASSETS);
const scripts = assets.filter(([name]) => name.endsWith('.js'));

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

  it('loads only files that there are', async () => {
    const { ask } = await testServer();
    const named = [...INSPECTOR_HTML.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    const imported = scripts.flatMap(([, { body }]) =>
      [...body.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `/assets/${name}`),
    );
    expect([named.length, imported.length > 10]).toEqual([3, true]);
    for (const path of new Set([...named, ...imported])) {
      expect([path, (await ask(`GET ${path}`)).status]).toEqual([path, 200]);
    }
    // And every file is loaded by something.
    const loaded = new Set([...named, ...imported]);
    expect(assets.map(([name]) => `/assets/${name}`).filter((path) => !loaded.has(path))).toEqual([]);
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
    for (const [name, { type, body }] of assets) {
      const { status, headers } = await ask(`GET /assets/${name}`);
      expect([name, status, headers.get('content-type')]).toEqual([name, 200, type]);
      expect([name, type]).toEqual([name, TYPES[name.split('.').at(-1)!]]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'");
      // The name that drawings have by their standard is never asked for.
      const text = body.replaceAll('http://www.w3.org/2000/svg', '');
      expect([name, text.match(/[Hh][Tt]{2}[Pp][Ss]?:|["'(]\/\/|@import|\burl\(/)]).toEqual([name, null]);
    }
  });

  it.each(scripts)('%s reads no text as HTML or as a program', (_name, { body }) => {
    expect(body).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|createContextualFragment|setHTML/i,
    );
    expect(body).not.toMatch(/\beval\b|\bFunction\(|javascript:|set(?:Timeout|Interval)\(\s*['"]/);
    // Style and handlers as attributes would be refused by the policy.
    expect(body).not.toMatch(/setAttribute\(\s*'(?:style|on)/);
  });

  it('are programs', () => {
    const check = `
      const { SourceTextModule } = require('node:vm');
      for (const [name, { body }] of JSON.parse(require('node:fs').readFileSync(0, 'utf8'))) {
        new SourceTextModule(body, { identifier: name });
      }`;
    const flags = ['--experimental-vm-modules', '--no-warnings', '-e', check];
    const { status, stderr } = spawnSync(process.execPath, flags, {
      input: JSON.stringify(scripts),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('import only what the other file exports', () => {
    for (const [name, { body }] of scripts) {
      for (const [, names = '', from = ''] of body.matchAll(/import \{([^}]+)\} from '\.\/([^']+)'/g)) {
        const exported = INSPECTOR_ASSETS[from]?.body ?? '';
        for (const wanted of names.split(',').map((text) => text.trim())) {
          const isThere = new RegExp(`export (?:async )?(?:function|const|class) ${wanted}\\b`).test(
            exported,
          );
          expect([name, from, wanted, isThere]).toEqual([name, from, wanted, true]);
          expect([name, wanted, body.split(new RegExp(`\\b${wanted}\\b`)).length > 2]).toEqual([
            name,
            wanted,
            true,
          ]);
        }
      }
    }
  });

  it('call only routes that exist, and name them in one way', () => {
    const known = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    const text = scripts.map(([, { body }]) => body).join('\n');
    const called = [...text.matchAll(/'((?:GET|POST|PUT|PATCH|DELETE) \/[^']+)'/g)].map(
      ([, route]) => route!,
    );
    expect(called.length).toBeGreaterThan(10);
    expect(called.filter((route) => !known.has(route))).toEqual([]);
    const mentions = text.match(/\/v1\//g)?.length ?? 0;
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
