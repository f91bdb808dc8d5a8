/** The inspector in Chromium: the same results as the command line, all of them in reach, and every filter in the address. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../src/index.ts';
import { Context } from '../../src/surfaces/cli/context.ts';
import { Output } from '../../src/surfaces/cli/output.ts';
import { buildProgram } from '../../src/surfaces/cli/program.ts';
import { connect, type Inspected, inspected, visit } from './support/inspector.ts';
import { seedWorkspace } from './support/seed.ts';

const TICKETS = 140;
const FLOORS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];
const QUESTION = 'printer paper jam';

let browser: Browser;
let workspace: Inspected;

async function seed(folder: string): Promise<void> {
  await seedWorkspace(folder);
  const client = createClient({ workspace: folder });
  for (let i = 0; i < TICKETS; i++) {
    const user = i % 2 === 0 ? 'ana@example.com' : 'org/7|ben';
    const content = `Ticket ${i} from the ${FLOORS[i % 7]} floor: paper jam in printer P${i * 13}.`;
    await client.agent({ name: 'helpdesk', user }).memory.add({ content });
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

/** Ids that `keepsake memory search` prints. */
async function byCommandLine(args: readonly string[]): Promise<string[]> {
  const context = new Context(new Output({ json: true, quiet: false, color: false }), workspace.folder);
  const program = await buildProgram(context, ['memory']);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await program.parseAsync(['memory', 'search', ...args], { from: 'user' });
    await context.close();
    const text = write.mock.calls.map(([part]) => String(part)).join('');
    return (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
  } finally {
    write.mockRestore();
  }
}

const hits = (page: Page) =>
  page.locator('.hits a').evaluateAll((all) => all.map((each) => each.getAttribute('data-id')));
const open = (page: Page, hash: string) => page.goto(`${workspace.server.url}/${hash}`);

describe('a search', () => {
  it('finds what the command line finds, in the same order', async () => {
    const { page } = await visit(browser, workspace);
    const searches: readonly (readonly [query: string, flags: readonly string[]])[] = [
      ['q=where+does+Ana+live%3F', ['where does Ana live?']],
      ['q=greenhouse', ['greenhouse']],
      ['q=thermometer&agent=gardener', ['thermometer', '--agent', 'gardener']],
      [
        'q=paper+jam+on+the+third+floor&user=org%2F7%7Cben',
        ['paper jam on the third floor', '--user', 'org/7|ben'],
      ],
      ['q=greenhouse+in+wet+weather&all=true', ['greenhouse in wet weather', '--all']],
    ];
    for (const [query, flags] of searches) {
      const expected = await byCommandLine([...flags, '--limit', '25']);
      expect([flags, expected.length > 0]).toEqual([flags, true]);
      await open(page, `#memory?${query}`);
      await expect.poll(() => hits(page)).toEqual(expected);
    }
  });

  it('says how many results it does not show, and shows them all on request', async () => {
    const { page } = await visit(browser, workspace, `#memory?q=${encodeURIComponent(QUESTION)}&all=true`);
    const expected = await byCommandLine([QUESTION, '--all', '--limit', '1000']);
    expect(expected.length).toBeGreaterThan(101);
    await page.getByText('The best 25 of more than 100 memories').waitFor();
    for (let shown = 50; shown < expected.length; shown += 25) {
      await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
      await expect.poll(async () => (await hits(page)).length).toBe(Math.min(shown, expected.length));
    }
    await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
    await page.getByText(`${expected.length} memories, best match first`).waitFor();
    expect(await hits(page)).toEqual(expected);
    expect(await page.getByRole('button', { name: /^Show \d+ more$/ }).count()).toBe(0);
  });

  it('names the weaker matches that it leaves out, and shows them on request', async () => {
    const { page } = await visit(browser, workspace, '#memory?q=greenhouse+door');
    const expected = await byCommandLine(['greenhouse door']);
    await expect.poll(() => hits(page)).toEqual(expected);
    const all = await byCommandLine(['greenhouse door', '--all']);
    expect(all.length).toBeGreaterThan(expected.length);
    await page.locator('.further', { hasText: /At least [1-9]\d* weaker match/ }).waitFor();
    await page.getByRole('button', { name: 'Show weaker matches' }).click();
    await expect.poll(() => hits(page)).toEqual(all);
    expect(page.url()).toContain('all=true');
    await page.getByRole('button', { name: 'Only likely answers' }).click();
    await expect.poll(() => hits(page)).toEqual(expected);
  });

  it('is narrowed to one user', async () => {
    const { page } = await visit(browser, workspace);
    await page.getByLabel('User', { exact: true }).fill('org/7|ben');
    await page.getByText(`${TICKETS / 2} memories, newest first`).waitFor();
    await page.locator('.row', { hasText: 'user org/7|ben' }).first().waitFor();
    expect(await page.locator('.row', { hasText: 'ana@example.com' }).count()).toBe(0);
    await page.locator('.row a').first().click();
    await page.locator('.detail dd', { hasText: 'org/7|ben' }).waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#memory\/mem_\w+\?user=org%2F7%7Cben$/);
  });
});

describe('conversations', () => {
  it('of users and threads are apart, narrowed to one user, and searched to the last match', async () => {
    const client = createClient({ workspace: workspace.folder });
    const ana = client.agent({ name: 'helpdesk', user: 'ana@example.com' });
    const { log } = client.agent({ name: 'helpdesk', user: 'org/7|ben' });
    await ana.log.add('User', 'The toner is empty.');
    await ana.conversation('chat-7').log.add('User', 'A second question.');
    for (let i = 0; i < 60; i++) await log.add('User', `Is printer ${i} ready?`);
    await client.close();
    const { page } = await visit(browser, workspace, '#conversations');
    const item = (text: string) => page.locator('.finder a.item', { hasText: text });
    // Without a user, the conversations of agents with nobody in particular.
    await item('assistant').waitFor();
    await page.getByLabel('User', { exact: true }).fill('org/7|ben');
    await item('user org/7|ben').click();
    await page.locator('.message', { hasText: 'Is printer 59 ready?' }).waitFor();
    expect(await page.locator('.message', { hasText: 'toner' }).count()).toBe(0);
    await page.getByLabel('Search the conversation').fill('printer');
    await page.getByText('The best 50 matches').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => page.locator('.message').count()).toBe(60);
    await page.getByLabel('User', { exact: true }).fill('ana@example.com');
    await item('user org/7|ben').waitFor({ state: 'detached' });
    await item('thread chat-7').click();
    await page.locator('.message', { hasText: 'A second question.' }).waitFor();
    await page.reload();
    await page.locator('.message', { hasText: 'A second question.' }).waitFor();
    expect([await page.locator('.message').count(), await page.locator('.finder a.item').count()]).toEqual([
      1, 2,
    ]);
    await item('1 message').filter({ hasNotText: 'thread' }).click();
    await page.locator('.message', { hasText: 'The toner is empty.' }).waitFor();
  });
});

describe('what is shown', () => {
  it('is in the address, and the same after a reload', async () => {
    const { page } = await visit(browser, workspace);
    await page.locator('#search').fill('walnuts');
    await page.getByLabel('Agent').selectOption('assistant');
    await page.getByLabel('Category').fill('fact');
    await page.getByLabel('Source').selectOption('manual');
    await page.locator('.hits a', { hasText: 'walnuts' }).click();
    await page.getByRole('heading', { name: 'Why it was found' }).waitFor();
    await page.waitForURL((url) => url.hash.includes('q=walnuts'));
    await page.reload();
    await page.getByRole('heading', { name: 'Where it comes from' }).waitFor();
    await page.locator('.hits a[aria-current]', { hasText: 'walnuts' }).waitFor();
    expect([
      await page.locator('#search').inputValue(),
      await page.getByLabel('Agent').inputValue(),
      await page.getByLabel('Category').inputValue(),
      await page.getByLabel('Source').inputValue(),
    ]).toEqual(['walnuts', 'assistant', 'fact', 'manual']);
    // Elsewhere and back by the tab: nothing is lost.
    await page.locator('#tabs a', { hasText: 'Events' }).click();
    await page.locator('#tabs a', { hasText: 'Memory' }).click();
    await page.waitForURL((url) => url.hash.startsWith('#memory?q=walnuts&agent=assistant'));
  });

  it('of every other view, too', async () => {
    const { page } = await visit(browser, workspace, '#sessions');
    await page.getByLabel('Agent').selectOption('builder');
    await page
      .locator('.finder a.item', { hasText: 'prompt not stored' })
      .first()
      .waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.finder a.item', { hasText: 'When may the next release' }).waitFor();
    expect(await page.locator('.finder a.item').count()).toBe(1);
    await page.getByLabel('User').fill('nobody');
    await page.getByText('No matching sessions').waitFor();
    expect(new URL(page.url()).hash).toBe('#sessions?agent=builder&user=nobody');

    await open(page, '#events');
    await page.getByRole('button', { name: 'memory', exact: true }).click();
    await page.getByLabel('Filter events').fill('gardener');
    await page.reload();
    await page.locator('.event', { hasText: 'gardener' }).first().waitFor();
    expect(await page.getByLabel('Filter events').inputValue()).toBe('gardener');
    expect(await page.locator('.event', { hasText: 'helpdesk' }).count()).toBe(0);
    await page.getByRole('button', { name: 'memory', exact: true, pressed: true }).waitFor();

    await open(page, '#events?text=org%2F7');
    await page.locator('.event', { hasText: 'user org/7|ben' }).first().waitFor();
    expect(await page.locator('.event', { hasText: 'ana@example.com' }).count()).toBe(0);

    await open(page, '#guard');
    await page.getByRole('button', { name: 'released' }).click();
    await page.reload();
    await page.getByText('Nothing here').waitFor();

    await open(page, '#overview');
    await page.getByLabel('Time').selectOption('90');
    await page.reload();
    await page.locator('.chart').first().waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('90');

    await open(page, '#conversations/assistant');
    await page.getByLabel('Search the conversation').fill('hazelnuts');
    await page.locator('.message', { hasText: 'Is Sunday' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.message', { hasText: 'Almonds' }).waitFor();
    expect(await page.locator('.message', { hasText: 'Is Sunday' }).count()).toBe(0);
  });
});
