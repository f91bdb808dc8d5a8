/** The inspector in Chromium with a hundred thousand memories: only the rows in sight exist, wherever one looks. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { connect, type Inspected, inspected, visit } from './support/inspector.ts';

const MANY = 100_000;

/** Straight into the table: what is listed needs no index of words and vectors. */
async function seed(folder: string): Promise<void> {
  const client = createClient({ workspace: folder });
  await client.agent({ name: 'collector' }).memory.add({ content: 'Memory number 1.' });
  await client.close();
  const database = new Database(join(folder, 'data', 'keepsake.db'));
  const columns = (database.pragma('table_info(records)') as { name: string }[]).map(({ name }) => name);
  const other: Record<string, string> = {
    rid: 'n',
    id: "printf('mem_%026d', n)",
    content: "'Memory number ' || n || '.'",
    digest: 'randomblob(16)',
  };
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
    INSERT INTO records (${columns.join(', ')})
    SELECT ${columns.map((name) => other[name] ?? name).join(', ')} FROM numbers, (SELECT * FROM records WHERE rid = 1) AS first;
    UPDATE agents SET facts = ${MANY}`);
  database.close();
}

let browser: Browser;
let workspace: Inspected;

beforeAll(async () => {
  [browser, workspace] = await Promise.all([connect(), inspected(seed)]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.close();
});

it('a hundred thousand memories are one list, of which few rows exist at any time', async () => {
  const { page } = await visit(browser, workspace);
  const row = (number: number) => page.locator('.row a', { hasText: `Memory number ${number}.` });
  const rows = () => page.locator('.row').count();
  await row(MANY).waitFor();
  await page.getByText('100,000 memories, newest first').waitFor();
  expect(await rows()).toBeLessThan(40);
  const place = page.locator('.viewport');
  await place.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  await page
    .locator('.row a', { hasText: /Memory number (50|49)\d{3}\./ })
    .first()
    .waitFor();
  await place.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await row(1).waitFor();
  const elements = await page.locator('*').count();
  expect([(await rows()) < 40, elements < 600]).toEqual([true, true]);
  // By keyboard, too: from the end to the top, and down again.
  await row(1).focus();
  await page.keyboard.press('Home');
  await row(MANY).waitFor();
  await page.locator('a:focus', { hasText: `Memory number ${MANY}.` }).waitFor();
  for (let n = 0; n < 30; n++) await page.keyboard.press('ArrowDown');
  await row(MANY - 30).waitFor();
  await page.locator('a:focus', { hasText: `Memory number ${MANY - 30}.` }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.detail .content', { hasText: `Memory number ${MANY - 30}.` }).waitFor();
});

it('are counted in the overview, where what never happened is said in words', async () => {
  const { page } = await visit(browser, workspace, '#overview');
  await page.locator('.tile .figure', { hasText: '100,000' }).waitFor();
  await page.locator('.chart .nothing').nth(1).waitFor();
  expect(await page.locator('.chart .nothing').allTextContents()).toEqual([
    'No prompt asked memory in these days',
    'No prompt was sent in these days',
  ]);
  // Which no line strikes out: there is one above and one below.
  expect(await page.locator('.chart:has(.nothing) .grid').count()).toBe(4);
  // The point of today is not hidden by today's bar.
  const growth = page.locator('.chart svg').first();
  const kinds = await growth
    .locator(':scope > :is(.bars, .dot)')
    .evaluateAll((all) => all.map((each) => each.getAttribute('class')!.trim()));
  expect(kinds.lastIndexOf('bars warm')).toBeLessThan(kinds.indexOf('dot'));
});
