/** The inspector in a real browser: one server, one browser, and pages that note everything they ask for. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { createClient } from '../../../src/index.ts';
import { type RunningServer, serve } from '../../../src/surfaces/http/serve.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';

const ASSETS = join(import.meta.dirname, '../../../docs/assets');

export function connect(): Promise<Browser> {
  return chromium.connect(inject('browserEndpoint'));
}

export interface Inspected {
  readonly folder: string;
  readonly server: RunningServer;
  /** A new link for one visit. */
  link(): Promise<string>;
  /** Ends the server; the workspace stays. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A server on a workspace of its own, which `seed` fills first. */
export async function inspected(
  seed: (folder: string) => Promise<void> = async () => {},
  options: { readonly site?: URL } = {},
): Promise<Inspected> {
  const { folder, remove } = makeFolder();
  await seed(folder);
  const running = await startServer(folder, 0, options);
  return {
    folder,
    ...running,
    close: async () => {
      await running.stop();
      remove();
    },
  };
}

/** Without a port, on any that is free. */
export async function startServer(
  folder: string,
  port = 0,
  options: { readonly site?: URL } = {},
): Promise<Omit<Inspected, 'folder' | 'close'>> {
  const client = createClient({ workspace: folder });
  const engine = await client.open();
  const server = await serve(engine, { port, version: '0.0.0', ...options });
  return {
    server,
    link: async () => {
      const authorization = `Bearer ${readFileSync(server.serverKeyFile, 'utf8').trim()}`;
      const response = await fetch(`${server.url}/v1/browser/link`, {
        method: 'POST',
        headers: { authorization },
      });
      return `${server.url}${((await response.json()) as { path: string }).path}`;
    },
    stop: async () => {
      // Streams end first, so that the server need not wait for them.
      await server.stop();
      await client.close();
    },
  };
}

export interface Visit {
  readonly page: Page;
  /** Addresses of other origins that the page asked for. */
  readonly strangers: string[];
  /** Violations of the policy, errors of scripts, and dialogs: what a harmless page has none of. */
  readonly alarms: string[];
}

export async function visit(
  browser: Browser,
  { server, link }: Pick<Inspected, 'server' | 'link'>,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const usual = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...usual, ...options });
  const alarms: string[] = [];
  onTestFinished(async () => {
    await context.close();
    expect(alarms.filter((alarm) => alarm.startsWith('script:'))).toEqual([]);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const strangers: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${server.url}/`) && !url.startsWith('data:,')) strangers.push(url);
  });
  page.on('dialog', async (dialog) => {
    alarms.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('pageerror', (error) => alarms.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy|Refused to/i.test(message.text())) {
      alarms.push(`policy: ${message.text()}`);
    }
  });
  await page.goto(await link());
  if (hash !== '') await page.goto(`${server.url}/${hash}`);
  await page.locator('#live[data-state="live"]').waitFor();
  return { page, strangers, alarms };
}

/** Pictures for the documentation, only when they are asked for: `KEEPSAKE_SCREENSHOTS=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.KEEPSAKE_SCREENSHOTS;
  if (folder === undefined) return;
  const place = folder === '1' ? ASSETS : folder;
  mkdirSync(place, { recursive: true });
  await page.screenshot({ path: join(place, `inspector-${name}.png`) });
}
