/** The inspector in Chromium: what is stored about one person, and erasing it with a receipt. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/index.ts';
import { connect, type Inspected, inspected, visit } from './support/inspector.ts';

const ANA = 'org/7|ana@example.com';
const BEN = 'ben@example.com';

let browser: Browser;
let workspace: Inspected;

async function seed(folder: string): Promise<void> {
  const client = createClient({ workspace: folder });
  for (const user of [ANA, BEN]) {
    const { memory } = client.agent({ name: 'assistant', user });
    await memory.add({ content: `${user} prefers tea.`, category: 'preference' });
    await memory.add({ content: `${user} has two cats.` });
  }
  await client.close();
}

beforeAll(async () => {
  [browser, workspace] = await Promise.all([connect(), inspected(seed)]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.close();
});

it('a user is counted first, then erased after a question, with a receipt that verifies', async () => {
  const { page } = await visit(browser, workspace, '#users');
  await page.locator('.finder a.item', { hasText: ANA }).click();
  await page.getByRole('link', { name: 'Memories about this user' }).click();
  await page.getByText('2 memories, newest first').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: ANA }).waitFor();

  const erase = page.getByRole('region', { name: 'Erase' });
  await erase.getByRole('button', { name: 'Count what would be erased' }).click();
  await erase.getByText('Nothing was erased yet. This is stored:').waitFor();
  expect(await erase.locator('dt:text-is("memories") + dd').textContent()).toBe('2');
  await erase.getByRole('button', { name: 'Erase all of it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  const client = createClient({ workspace: workspace.folder });
  onTestFinished(() => client.close());
  const stored = async (user: string) =>
    (await client.agent({ name: 'assistant', user }).memory.list()).length;
  expect([await stored(ANA), await stored(BEN)]).toEqual([2, 2]);

  await erase.getByRole('button', { name: 'Erase all of it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await erase.getByText('Keep this receipt').waitFor();
  expect([await stored(ANA), await stored(BEN)]).toEqual([0, 2]);
  const receipt = JSON.parse((await erase.locator('pre').textContent())!) as { signature: string };
  expect([typeof receipt.signature, JSON.stringify(receipt).includes('ana@')]).toEqual(['string', false]);
  await erase.getByRole('button', { name: 'Verify the receipt' }).click();
  await erase.getByText('The receipt is genuine, and nothing about this user is stored.').waitFor();
  await page.locator('.finder a.item', { hasText: ANA }).waitFor({ state: 'detached' });
});

it('an id that is typed in is shown, too, also when nothing is stored about it', async () => {
  const { page } = await visit(browser, workspace, '#users');
  await page.getByLabel('User id').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('heading', { name: 'nobody@example.com' }).waitFor();
  await page.getByRole('button', { name: 'Count what would be erased' }).click();
  await page.getByText('Nothing about this user is stored.').waitFor();
  expect(await page.getByRole('button', { name: 'Erase all of it' }).count()).toBe(0);
});
