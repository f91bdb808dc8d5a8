/** The inspector in Chromium leads to the documentation: the site where it was built, else the description of the API. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../fixtures/temporary-folder.ts';
import { connect, inspected, visit } from './support/inspector.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await connect();
});
afterAll(() => browser?.close());

/** Pages as a generator makes them: scripts inside and outside of the page, and styles in attributes. */
function built(folder: string, version: string): URL {
  const place = join(folder, version);
  mkdirSync(join(place, 'assets'), { recursive: true });
  mkdirSync(join(place, 'guides'));
  const head = '<!doctype html><meta charset="utf-8"><title>Keepsake docs</title>';
  const scripts = `<script>document.documentElement.dataset.inline = 'ran'</script><script type="module" src="/${version}/assets/app.js"></script>`;
  writeFileSync(
    join(place, 'index.html'),
    `${head}${scripts}<h1 style="color: green">All guides</h1><a href="/${version}/guides/recall.html">Recall</a>`,
  );
  writeFileSync(join(place, 'assets/app.js'), "document.documentElement.dataset.outer = 'ran';");
  writeFileSync(join(place, 'guides/recall.html'), `${head}<h1>Recall</h1>`);
  writeFileSync(join(folder, 'private.html'), 'outside of the version');
  return pathToFileURL(`${folder}/`);
}

it('to the site, which works under a strict policy and gives away nothing beside it', async () => {
  const { folder, remove } = makeFolder();
  const site = built(folder, '0.0.0');
  const workspace = await inspected(undefined, { site });
  onTestFinished(async () => {
    await workspace.close();
    remove();
  });
  const { page, alarms, strangers } = await visit(browser, workspace);
  await page.getByRole('link', { name: 'Docs' }).click();
  await page.getByRole('heading', { name: 'All guides' }).waitFor();
  expect(page.url()).toBe(`${workspace.server.url}/0.0.0/`);
  const ran = 'JSON.stringify({ ...document.documentElement.dataset })';
  expect(JSON.parse(await page.evaluate<string>(ran))).toEqual({ inline: 'ran', outer: 'ran' });
  await page.getByRole('link', { name: 'Recall' }).click();
  await page.getByRole('heading', { name: 'Recall' }).waitFor();
  expect({ alarms, strangers }).toEqual({ alarms: [], strangers: [] });
  const status = async (path: string) => (await fetch(`${workspace.server.url}${path}`)).status;
  for (const path of ['..%2Fprivate.html', '%2e%2e/private.html', 'none.html', '.env', 'assets', '%E0']) {
    expect([path, await status(`/0.0.0/${path}`)]).toEqual([path, 404]);
  }
});

it('to the API where no site was built', async () => {
  const { folder, remove } = makeFolder();
  const workspace = await inspected(undefined, { site: pathToFileURL(`${folder}/`) });
  onTestFinished(async () => {
    await workspace.close();
    remove();
  });
  const { page } = await visit(browser, workspace);
  await page.getByRole('link', { name: 'Docs' }).click();
  await page.getByRole('heading', { name: 'Keepsake API' }).waitFor();
});
