/** The inspector in Chromium with very many memories: only the rows in sight exist, wherever one looks. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { campaign } from '../fixtures/campaign.ts';
import { connect, type Inspected, inspected, visit } from './support/inspector.ts';

/** Storing them takes most of the time. */
const MANY = campaign(20_000, 100_000);
const counted = (count: number): string => `${count.toLocaleString('en')} memories, newest first`;
/** One that is neither at the top nor at the end. */
const CHOSEN = 12_345;

const THINGS = ['lantern', 'kettle', 'ladder', 'compass', 'violin', 'anchor', 'teapot', 'carpet'];

/** By the usual way, so that words and vectors of all of them are indexed. */
async function seed(folder: string): Promise<void> {
  const client = createClient({ workspace: folder, config: { memory: { maxEntries: MANY } } });
  const { memory } = client.agent({ name: 'collector' });
  for (let first = 1; first <= MANY; first += 1_000) {
    const numbers = Array.from({ length: 1_000 }, (_, i) => first + i);
    await Promise.all(
      numbers.map((n) =>
        memory.add({ content: `Memory number ${n}. It is about a ${THINGS[n % 8]} on shelf ${n % 97}.` }),
      ),
    );
  }
  await client.close();
}

let browser: Browser;
let workspace: Inspected;

beforeAll(async () => {
  [browser, workspace] = await Promise.all([connect(), inspected(seed)]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await workspace?.close();
});

it(`${MANY} memories are one list, of which few rows exist at any time`, async () => {
  const { page } = await visit(browser, workspace);
  const row = (number: number) => page.locator('.row a', { hasText: `Memory number ${number}.` });
  const rows = () => page.locator('.row').count();
  await row(MANY).waitFor();
  await page.getByText(counted(MANY)).waitFor();
  expect(await rows()).toBeLessThan(40);
  const half = MANY / 2_000;
  const middle = new RegExp(`Memory number (${half}|${half - 1})\\d{3}\\.`);
  const place = page.locator('.viewport');
  await place.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  await page.locator('.row a', { hasText: middle }).first().waitFor();
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
  await page.locator('.tile .figure', { hasText: MANY.toLocaleString('en') }).waitFor();
  await page.locator('.chart .nothing').nth(1).waitFor();
  expect(await page.locator('.chart .nothing').allTextContents()).toEqual([
    'No recalls in this period',
    'No prompts in this period',
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

it('are searched as one types, and one of them is changed and forgotten', async () => {
  const { page, alarms } = await visit(browser, workspace);
  await page.getByText(counted(MANY)).waitFor();
  await page.locator('#search').pressSequentially(`memory number ${CHOSEN}`, { delay: 20 });
  const hit = page.locator('.hits a', { hasText: `Memory number ${CHOSEN}.` });
  await hit.waitFor();
  expect(await page.locator('.hits li').count()).toBeLessThanOrEqual(25);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.detail .content', { hasText: String(CHOSEN) }).waitFor();
  await page.keyboard.press('e');
  await page.getByLabel('Content').fill('The harbour master keeps a parrot.');
  await page.keyboard.press('Control+Enter');
  await page.locator('.toast', { hasText: 'Saved.' }).waitFor();
  // What was changed is found by its new words at once.
  await page.locator('#search').fill('who has a parrot?');
  await page.locator('.hits a', { hasText: 'parrot' }).waitFor();
  await page.locator('#search').fill('');
  await page.getByText(counted(MANY)).waitFor();
  await page.clock.install();
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.clock.runFor(8_500);
  await page.locator('.toast', { hasText: 'from disk' }).waitFor();
  await page.getByText(counted(MANY - 1)).waitFor();
  expect(alarms).toEqual([]);
});
