/** The documentation as a site, where "npm run docs:site" has built it; it is served under its version, for which its links are made. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { z } from '../../../kernel/zod.ts';
import { packageRoot } from '../../../runtime/package-root.ts';
import type { OpenRoute } from '../route.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
/** No part leads out of the folder, and none is a hidden file. */
const PATH = /^(?:[\w@~-][\w@.~-]*\/)*[\w@~-][\w@.~-]*$/;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

export const siteFolder = (): URL => new URL('site/dist/', packageRoot());

/** Where the site of this version begins, or undefined when it was not built. */
export function siteAddress(folder: URL, version: string): string | undefined {
  return existsSync(new URL(`${version}/index.html`, folder)) ? `/${version}/` : undefined;
}

/** Scripts inside a page run only if they are those of the build. The generator colours code by style attributes. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function read(file: URL): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new KeepsakeError('NOT_FOUND', 'The documentation has no such page.', { cause });
  }
}

/** Not in the table of routes: which files there are depends on the build. */
export function siteRoute(folder: URL, version: string): OpenRoute {
  const start = `/${version}/`;
  return {
    method: 'GET',
    path: `${start}*`,
    role: 'anyone',
    summary: 'The documentation, where it was built.',
    response: { type: '*/*', schema: z.string() },
    handle: async (context) => {
      const path = context.req.path.slice(start.length) || 'index.html';
      const type = TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ''];
      if (!PATH.test(path) || type === undefined) {
        throw new KeepsakeError('NOT_FOUND', 'The documentation has no such page.');
      }
      const body = await read(new URL(`${version}/${path}`, folder));
      const policy = type.startsWith('text/html') ? policyOf(body.toString('utf8')) : "default-src 'none'";
      return new Response(new Uint8Array(body), {
        headers: {
          ...{ 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' },
          ...{
            'content-security-policy': policy,
            'referrer-policy': 'no-referrer',
            'x-frame-options': 'DENY',
          },
        },
      });
    },
  };
}
