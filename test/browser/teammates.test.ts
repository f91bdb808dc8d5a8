/** The inspector in Chromium for people without a shell on the server: signing in with a key, and the keys themselves. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { keysCreate, keysRevoke } from '../../src/administration/keys.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { connect, type Inspected, inspected, picture, visit } from './support/inspector.ts';
import { seedWorkspace } from './support/seed.ts';

let browser: Browser;
let workspace: Inspected;

beforeAll(async () => {
  [browser, workspace] = await Promise.all([connect(), inspected(seedWorkspace)]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.close();
});

const target = () => ({ workspace: workspace.folder, clock: systemClock });

/** A browser that was given no link. */
async function stranger(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(workspace.server.url);
  await page.getByRole('heading', { name: 'With a key' }).waitFor();
  return page;
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Every element in sight that begins or ends outside of the screen, unless it is cut on purpose. */
const BEYOND = `[...document.querySelectorAll('body *')]
  .filter((each) => each.checkVisibility() && !each.closest('.scroll, .viewport, svg, .chart'))
  .filter((each) => { const { left, right, width } = each.getBoundingClientRect(); return width > 0 && (left < -1 || right > 376); })
  .map((each) => each.tagName + '.' + each.className)`;

const isLive = (page: Page) => page.locator('#live[data-state="live"]').waitFor();

describe('a teammate', () => {
  it('signs in with a key, sees what it may, stays signed in after a reload, and signs out', async () => {
    const { key } = await keysCreate({ name: 'Ana', role: 'worker', agent: 'builder' }, target());
    const page = await stranger();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content.Security.Policy|Refused to/i.test(message.text())) refused.push(message.text());
    });
    await picture(page, 'sign-in');
    await signIn(page, 'ksk_wrong');
    await page.locator('.problem', { hasText: 'misspelt, expired or revoked. Ask the owner' }).waitFor();
    await signIn(page, 'not a key at all ✗');
    await page.locator('.problem', { hasText: 'This key is not valid' }).waitFor();
    await signIn(page, key);
    await isLive(page);
    await page.getByText('worker, agent builder').waitFor();
    await page.locator('.row a', { hasText: 'Releases go out on Tuesdays' }).waitFor();
    expect(await page.locator('.row a', { hasText: 'Ana' }).count()).toBe(0);
    expect(await page.locator('#tabs a:visible').allTextContents()).toEqual([
      ...['Memory', 'Sections', 'Conversations', 'Sessions', 'Swarms', 'Events'],
    ]);
    for (const tab of ['Sections', 'Conversations', 'Sessions', 'Swarms', 'Events', 'Memory']) {
      await page.locator('#tabs a', { hasText: tab }).click();
      await page.getByRole('heading', { name: tab, exact: true }).waitFor();
    }
    await page.locator('.row a', { hasText: 'Releases go out on Tuesdays' }).waitFor();
    expect(await page.locator('.problem').count()).toBe(0);
    // Only in this tab: not in a cookie, not on the disk.
    const places =
      'JSON.stringify([document.cookie, Object.values(localStorage), Object.values(sessionStorage)])';
    expect(JSON.parse(await page.evaluate<string>(places))).toEqual(['', [], [key]]);
    await page.reload();
    await isLive(page);
    await page.locator('.row a', { hasText: 'Releases go out on Tuesdays' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'With a key' }).waitFor();
    expect([await page.evaluate<number>('sessionStorage.length'), refused]).toEqual([0, []]);
  });

  it('whose key stops working is told so, and goes on with a new one', async () => {
    const first = await keysCreate({ name: 'Ben', role: 'reader', agent: 'gardener' }, target());
    const page = await stranger();
    await signIn(page, first.key);
    await page.locator('.row a', { hasText: 'Slugs come back' }).waitFor();
    await keysRevoke(first.id, target());
    await page.locator('#search').fill('slugs');
    await page.locator('.problem', { hasText: 'Your key has stopped working' }).waitFor();
    const second = await keysCreate({ name: 'Ben again', role: 'reader', agent: 'gardener' }, target());
    await signIn(page, second.key);
    await page.locator('.hits a', { hasText: 'Slugs come back' }).waitFor();
  });
});

describe('keys', () => {
  it('are made, shown once, replaced and revoked by an admin', async () => {
    const { page } = await visit(browser, workspace, '#keys');
    const card = (name: string) => page.locator('.api-key', { hasText: name });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Cyd');
    await page.getByRole('button', { name: 'Create key' }).click();
    // Readers speak for one agent or user; the form says so before the server does.
    expect(await page.locator('input:invalid').count()).toBe(1);
    await page.getByLabel('Only for the agent').fill('assistant');
    await page.getByLabel('Only for the user', { exact: true }).fill('org/42/ana');
    await page.getByLabel('Only for users whose ids begin with').fill('org/42/');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.locator('input:invalid').count()).toBe(1);
    await page.getByLabel('Only for the user', { exact: true }).fill('');
    await picture(page, 'keys-form');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('It is not stored and cannot be shown again.').waitFor();
    const secret = (await page.locator('.secret pre').textContent())!;
    const who = await fetch(`${workspace.server.url}/v1/whoami?user=org/42/ana`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(await who.json()).toEqual({ role: 'reader', agent: 'assistant', user: 'org/42/ana' });
    const other = await stranger();
    await signIn(other, secret);
    await other.locator('.problem', { hasText: 'acts for several users' }).waitFor();
    await card('Cyd').getByText('agent assistant, users whose ids begin with org/42/').waitFor();
    await page.reload();
    await card('Cyd').waitFor();
    expect(await page.content()).not.toContain(secret);

    await card('Cyd').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.locator('.secret pre').waitFor();
    const next = (await page.locator('.secret pre').textContent())!;
    expect(next).not.toBe(secret);
    const works = async (key: string) =>
      (
        await fetch(`${workspace.server.url}/v1/whoami?user=org/42/ana`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).ok;
    expect([await works(secret), await works(next)]).toEqual([true, true]);

    await page.getByRole('button', { name: 'Done' }).click();
    const newest = card('Cyd').first();
    await newest.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.locator('.toast', { hasText: 'Revoked the key Cyd.' }).waitFor();
    await page.locator('.api-key .chip', { hasText: 'revoked' }).first().waitFor();
    expect(await works(next)).toBe(false);
  });
});

describe('a phone of 375 pixels', () => {
  it('reaches every tab and badge by tapping, and nothing is wider than the screen', async () => {
    const options = { viewport: { width: 375, height: 667 }, hasTouch: true } as const;
    const { page } = await visit(browser, workspace, '', options);
    const menu = page.getByRole('button', { name: /^Menu/ });
    await menu.locator('.badge', { hasText: '1' }).waitFor();
    const names = await page.locator('#tabs a').evaluateAll((all) => all.map((each) => each.dataset.tab!));
    expect(names.length).toBeGreaterThanOrEqual(9);
    for (const name of names) {
      await menu.tap();
      const tab = page.locator(`#tabs a[data-tab="${name}"]`);
      const box = (await tab.boundingBox())!;
      expect([name, box.height >= 44, box.x >= 0, box.x + box.width <= 375]).toEqual([
        name,
        true,
        true,
        true,
      ]);
      if (name === 'guard') await tab.locator('.badge', { hasText: '1' }).waitFor();
      if (name === 'memory') await picture(page, 'phone-menu');
      await tab.tap();
      await page.waitForURL((url) => url.hash.startsWith(`#${name}`));
      await page.locator('main h1:visible').first().waitFor();
      expect([name, await page.locator('#tabs').isVisible()]).toEqual([name, false]);
      expect([name, await page.evaluate(BEYOND)]).toEqual([name, []]);
    }
  });

  it('shows what is selected, forms and checkboxes within the screen, too', async () => {
    const options = { viewport: { width: 375, height: 667 }, hasTouch: true } as const;
    const { page } = await visit(browser, workspace, '#sessions', options);
    const fits = async (place: string) => {
      expect([place, await page.evaluate(BEYOND)]).toEqual([place, []]);
    };
    await page.locator('.finder a.item', { hasText: 'When may the next release' }).tap();
    await page.locator('.answer').first().waitFor();
    await fits('session');
    await picture(page, 'phone-session');
    for (const [hash, shown] of [
      ['#memory?q=greenhouse', '.hits a'],
      ['#memory/new', '.edit'],
      ['#conversations/assistant', '.message'],
      ['#sections/assistant/user_preferences', '.detail .content'],
      ['#users/somebody@a-rather-long-name-of-a-host.example.com', '.erase'],
    ] as const) {
      await page.goto(`${workspace.server.url}/${hash}`);
      await page.locator(shown).first().waitFor();
      await fits(hash);
    }
    await page.goto(`${workspace.server.url}/#memory?q=`);
    await page.locator('.row a').first().waitFor();
    await page.getByRole('button', { name: 'Select', exact: true }).tap();
    await page.getByRole('button', { name: 'Select all shown' }).tap();
    await fits('selection');
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.locator('.row a').first().tap();
    await page.getByRole('heading', { name: 'Where it comes from' }).waitFor();
    await fits('memory');
    // The menu is left by Escape, which gives the focus back.
    await page.getByRole('button', { name: /^Menu/ }).tap();
    await page.keyboard.press('Escape');
    expect(await page.locator('#tabs').isVisible()).toBe(false);
    await page.locator('#menu:focus').waitFor();
  });
});
