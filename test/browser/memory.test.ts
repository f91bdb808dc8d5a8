/** The inspector in Chromium: finding, reading and changing memories, by mouse and by keyboard alone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/index.ts';
import { connect, type Inspected, inspected, picture, visit } from './support/inspector.ts';
import { seedWorkspace } from './support/seed.ts';

/** How much wider than its place everything is that scrolls. */
const SIDEWAYS = `[document.documentElement, ...document.querySelectorAll('.sheet, .finder, .finder-body, .detail')]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`;

let browser: Browser;
let workspace: Inspected;

beforeAll(async () => {
  [browser, workspace] = await Promise.all([connect(), inspected(seedWorkspace)]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.close();
});

const row = (page: Page, text: string) => page.locator('.row a', { hasText: text });
const hit = (page: Page, text: string) => page.locator('.hits a', { hasText: text });
const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });

async function stored(content: string) {
  const client = createClient({ workspace: workspace.folder });
  const { id } = await client.agent({ name: 'builder' }).memory.add({ content });
  await client.close();
  return id;
}

describe('search', () => {
  it('answers while one types, with three bars for each hit and the other numbers on request', async () => {
    const { page } = await visit(browser, workspace);
    await page.locator('#search').pressSequentially('what about the greenhouse and jars?', { delay: 5 });
    await hit(page, 'thermometer').waitFor();
    const bars = hit(page, 'thermometer').locator('.factor');
    expect(await bars.locator('.factor-name').allTextContents()).toEqual(['relevance', 'words', 'meaning']);
    const score = Number(await bars.first().locator('.factor-value').textContent());
    const width = await bars
      .first()
      .locator('.bar-part')
      .evaluate((part) => part.style.width);
    expect([score > 0.1, Math.abs(Number.parseFloat(width) / 100 - score) < 0.01]).toEqual([true, true]);
    expect(await hit(page, 'thermometer').locator('mark').allTextContents()).toEqual(['greenhouse']);
    await hit(page, 'thermometer').click();
    await page.getByRole('heading', { name: 'Why it was found' }).waitFor();
    expect(await page.locator('.detail .factor:visible').count()).toBe(3);
    await page.getByText('All numbers').click();
    expect(await page.locator('.detail .factor-name:visible').allTextContents()).toEqual([
      ...['relevance', 'words', 'meaning', 'score', 'vector similarity', 'context'],
      ...[
        'recency',
        'opened often',
        'instruction',
        "user's words",
        'opening',
        'speech',
        'tokens',
        'said again',
      ],
    ]);
    await picture(page, 'search');
    await page.locator('#search').fill('zzz qqq');
    await page.getByText('No matching memories').waitFor();
  });

  it('shows above its results what limited this search, as text, and only as long as it does', async () => {
    const { page, alarms } = await visit(browser, workspace);
    const notices = [
      'Only words were compared: the embedding model did not respond.',
      '<img src=x onerror="window.pwned = 1"> … é 日本',
    ];
    let header: string | undefined = encodeURIComponent(JSON.stringify(notices));
    await page.route('**/v1/memory/search?*', async (route) => {
      const response = await route.fetch();
      const headers = {
        ...response.headers(),
        ...(header === undefined ? {} : { 'keepsake-notice': header }),
      };
      await route.fulfill({ response, headers });
    });
    const shown = page.locator('.finder .notice');
    await page.locator('#search').fill('greenhouse');
    await hit(page, 'thermometer').waitFor();
    expect(await shown.allTextContents()).toEqual(notices);
    const [above, below] = [
      await shown.last().boundingBox(),
      await hit(page, 'greenhouse').first().boundingBox(),
    ];
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
    // Also when nothing was found: this may be why.
    await page.locator('#search').fill('zzz qqq');
    await page.getByText('No matching memories').waitFor();
    expect(await shown.count()).toBe(2);
    // A header that cannot be read costs nothing but its notice.
    header = '%E0%A4%A';
    await page.locator('#search').fill('greenhouse door');
    await hit(page, 'door').waitFor();
    await shown.first().waitFor({ state: 'detached' });
    header = undefined;
    await page.locator('#search').fill('jars');
    await hit(page, 'Jars').waitFor();
    expect([await shown.count(), alarms]).toEqual([0, []]);
  });
});

describe('a memory', () => {
  it('is edited, pinned, expired and brought back; every version stays', async () => {
    const { page } = await visit(
      browser,
      workspace,
      `#memory/${await stored('The build takes four minutes.')}`,
    );
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Content').fill('The build takes six minutes.');
    await page.getByLabel('Tags').fill('build, speed');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved.').waitFor();
    await row(page, 'The build takes six minutes.').waitFor();
    await page.locator('.detail .chip', { hasText: 'speed' }).waitFor();
    const compared = page.getByRole('region', { name: 'Compare versions' });
    await compared.locator('ins', { hasText: 'six' }).waitFor();
    expect([
      await compared.locator('del').allTextContents(),
      await compared.locator('ins').allTextContents(),
    ]).toEqual([['four'], ['six']]);
    await picture(page, 'versions');
    await page.getByRole('button', { name: /^Pin/ }).click();
    await page.locator('.detail .chip', { hasText: 'pinned' }).waitFor();
    // Other versions than the last two, on request.
    await compared.getByText('Both versions have the same text.').waitFor();
    await compared.getByLabel('Compare version', { exact: true }).selectOption('version 1');
    await compared.locator('del', { hasText: 'four' }).waitFor();
    const pinned = page.locator('.history li', { hasText: 'Version 3' });
    await pinned.getByText('pinned').waitFor();
    expect(await pinned.locator('pre').count()).toBe(0);
    await page.getByRole('button', { name: /^Expire now/ }).click();
    await page.locator('.detail .chip', { hasText: 'expired' }).waitFor();
    await toast(page, 'Expired').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.detail .chip', { hasText: 'expired' }).waitFor({ state: 'detached' });
    await page
      .locator('.history li', { hasText: 'four minutes' })
      .getByRole('button', { name: 'Restore this version' })
      .click();
    await page.locator('.detail .content', { hasText: 'four minutes' }).waitFor();
    await page.locator('.history li', { hasText: 'Version 6' }).waitFor();
    expect(await page.locator('.history li').count()).toBe(6);
  });

  it('is forgotten only after a moment in which it can be taken back', async () => {
    const id = await stored('The old server is called Bertha.');
    const { page } = await visit(browser, workspace, `#memory/${id}`);
    await page.clock.install();
    await page.getByRole('button', { name: 'Forget' }).click();
    // The list says so as long as it stands there.
    await row(page, 'Bertha').locator('.chip', { hasText: 'about to be erased' }).waitFor();
    await toast(page, 'about to be erased').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.detail .content', { hasText: 'Bertha' }).waitFor();
    expect(await row(page, 'Bertha').locator('.chip', { hasText: 'erased' }).count()).toBe(0);
    await page.clock.runFor(10_000);
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.clock.runFor(8_500);
    await toast(page, 'from disk').waitFor();
    await row(page, 'Bertha').waitFor({ state: 'detached' });
    await page.goto(`${workspace.server.url}/#memory/${id}`);
    await page.locator('.detail .content', { hasText: '(erased)' }).waitFor();
  });

  it('can be taken back as long as it is there, however many others are on their way', async () => {
    const { page } = await visit(browser, workspace);
    await page.clock.install();
    for (const name of ['Ada', 'Bob', 'Cyd', 'Dan']) {
      await page.goto(`${workspace.server.url}/#memory/${await stored(`${name} has a bicycle.`)}`);
      await page.locator('.detail .content', { hasText: name }).waitFor();
      await page.getByRole('button', { name: /^Pin/ }).click();
      await page.getByRole('button', { name: /^Unpin/ }).waitFor();
      await page.getByRole('button', { name: 'Forget' }).click();
    }
    await expect.poll(() => toast(page, 'about to be erased').count()).toBe(4);
    await toast(page, 'about to be erased').first().getByRole('button', { name: 'Undo' }).click();
    await page.locator('.detail .content', { hasText: 'Ada' }).waitFor();
    await page.clock.runFor(10_000);
    await row(page, 'Dan has a bicycle.').waitFor({ state: 'detached' });
    await row(page, 'Ada has a bicycle.').waitFor();
  });

  it('is forgotten also when the page is left before', async () => {
    const id = await stored('Carl has the second key.');
    const { page } = await visit(browser, workspace, `#memory/${id}`);
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.goto('about:blank');
    const client = createClient({ workspace: workspace.folder });
    onTestFinished(() => client.close());
    const { memory } = client.agent({ name: 'builder' });
    await expect.poll(async () => (await memory.get(id)).state).toBe('forgotten');
  });

  it('is not overwritten when somebody else was faster, and what was typed is not lost', async () => {
    const id = await stored('Lunch is at noon.');
    const { page } = await visit(browser, workspace, `#memory/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Content').fill('Lunch is at one.');
    const client = createClient({ workspace: workspace.folder });
    await client.agent({ name: 'builder' }).memory.update(id, { content: 'Lunch is at two.' });
    await client.close();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.edit .problem', { hasText: 'Someone else changed this memory' }).waitFor();
    expect(await page.getByLabel('Content').inputValue()).toBe('Lunch is at one.');
    // A look elsewhere and back.
    await page.goto(`${workspace.server.url}/#events`);
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.goto(`${workspace.server.url}/#memory/${id}`);
    await page.getByLabel('Content').waitFor();
    expect(await page.getByLabel('Content').inputValue()).toBe('Lunch is at one.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.detail .content', { hasText: 'Lunch is at two.' }).waitFor();
  });

  it('says in its place that the server is gone, and goes on when it is back', async () => {
    const { page } = await visit(browser, workspace);
    await row(page, 'Ana is allergic').waitFor();
    await page.context().setOffline(true);
    await page.locator('#search').fill('walnuts');
    await page.locator('.finder .problem', { hasText: 'The server does not respond.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await hit(page, 'walnuts').waitFor();
  });
});

describe('the keyboard alone', () => {
  it('finds, opens, edits and saves a memory, and shows what it can do', async () => {
    await stored('Keyboards deserve a first-class path.');
    const { page } = await visit(browser, workspace);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await picture(page, 'keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('first-class keyboards path');
    await hit(page, 'Keyboards').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('a:focus', { hasText: 'Keyboards' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    await page.locator('.detail .content', { hasText: 'Keyboards' }).waitFor();
    await page.keyboard.press('e');
    await page.keyboard.press('End');
    await page.keyboard.type(' Really.');
    await page.keyboard.press('Control+Enter');
    await page.locator('.detail .content', { hasText: 'path. Really.' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.hash.startsWith('#memory?q='));
    for (const [key, heading] of [
      ['c', 'Conversations'],
      ['o', 'Overview'],
      ['e', 'Events'],
      ['m', 'Memory'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    }
  });
});

describe('a phone', () => {
  it('shows every page without scrolling sideways, in the dark', async () => {
    const options = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true } as const;
    const { page } = await visit(browser, workspace, '', options);
    await row(page, 'Ana is allergic').waitFor();
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(Math.max(...ground.match(/\d+/g)!.map(Number))).toBeLessThan(60);
    for (const part of [
      'sections',
      'conversations/assistant',
      'sessions',
      'swarms',
      'events',
      'guard',
      'overview',
      'memory',
    ]) {
      await page.goto(`${workspace.server.url}/#${part}`);
      await page.locator('main :is(h1, h2):visible').first().waitFor();
      const wide = await page.evaluate<number[]>(SIDEWAYS);
      expect([part, Math.max(...wide)]).toEqual([part, 0]);
    }
    await page.locator('#search').fill('where does Ana live?');
    await hit(page, 'Porto').waitFor();
    await picture(page, 'phone');
    await hit(page, 'Porto').tap();
    await page.locator('.detail .content', { hasText: 'Porto' }).waitFor();
    expect(await page.locator('.finder').isVisible()).toBe(false);
    await page.getByRole('button', { name: '← Back' }).tap();
    await hit(page, 'Porto').waitFor();
  });
});
