/** The inspector and the API's page in Chromium: every text is legible, in light and dark, in whatever direction it runs. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { connect, type Inspected, inspected, picture, visit } from './support/inspector.ts';
import { seedWorkspace } from './support/seed.ts';

const ARABIC = 'أحمد يفضل الاجتماعات القصيرة في الصباح، ولا يحب أن يتصل به أحد بعد الساعة السادسة مساء أبدا';

/** Texts of less contrast than WCAG AA asks: 4.5 to 1, and 3 to 1 where they are large. What is switched off is exempt. */
const PALE = `(() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const light = ({ r, g, b }) => [r, g, b].map((each) => each / 255).map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)).reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const layer = parse(getComputedStyle(at).backgroundColor);
      layers.push(layer);
      if (layer.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const shade = (element) => { let all = 1; for (let at = element; at !== null; at = at.parentElement) all *= Number(getComputedStyle(at).opacity); return all; };
  const found = [];
  let seen = 0;
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    const hint = element.matches('input:placeholder-shown');
    if ((!own && !hint) || element.matches(':disabled') || !element.checkVisibility()) continue;
    const style = getComputedStyle(element, hint ? '::placeholder' : null);
    const ink = parse(element instanceof SVGElement ? style.fill : style.color);
    const below = ground(element);
    const [bright, dark] = [light(over({ ...ink, a: ink.a * shade(element) }, below)), light(below)].sort((a, b) => b - a);
    const ratio = (bright + 0.05) / (dark + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    seen++;
    if (ratio < (isLarge ? 3 : 4.5)) found.push(ratio.toFixed(2) + ' ' + (element.textContent || element.placeholder).trim().slice(0, 40));
  }
  return { seen, found };
})()`;

/** How far the first letter of a text is from both edges of its place. */
const FIRST_LETTER = `(() => {
  const element = document.querySelector('.detail .content');
  const range = document.createRange();
  range.setStart(element.firstChild, 0);
  range.setEnd(element.firstChild, 1);
  const [letter, place] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
  return { left: letter.left - place.left, right: place.right - letter.right };
})()`;

/** Each with something that is there only when it has been read. */
const PARTS = [
  ['memory', '.hits a'],
  ['sections/assistant/user_preferences', '.detail .content'],
  ['conversations/assistant', '.message[data-kind="summary"]'],
  ['conversations/assistant/archives', '.detail a.item'],
  ['sessions/ses_14', '.prompt .factor'],
  ['swarms', '.empty'],
  ['events', '.event'],
  ['guard', '.refused'],
  ['overview', '.chart .tick'],
] as const;

let browser: Browser;
let workspace: Inspected;

beforeAll(async () => {
  [browser, workspace] = await Promise.all([connect(), inspected(seedWorkspace)]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.close();
});

async function pale(page: Page, part: string): Promise<string[]> {
  const { seen, found } = await page.evaluate<{ seen: number; found: string[] }>(PALE);
  expect([part, seen > 10]).toEqual([part, true]);
  return found.map((each) => `${part}: ${each}`);
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('every text stands out from its ground as WCAG AA asks', async () => {
    const { page } = await visit(browser, workspace, '', { colorScheme });
    const found: string[] = [];
    await page.locator('#search').fill('greenhouse in wet weather');
    await page.locator('.hits a').first().click();
    await page.getByRole('heading', { name: 'Why it was found' }).waitFor();
    found.push(...(await pale(page, 'search')));
    for (const [part, read] of PARTS) {
      await page.goto(`${workspace.server.url}/#${part}`);
      await page.locator(read).first().waitFor();
      found.push(...(await pale(page, part)));
    }
    await page.goto(`${workspace.server.url}/docs`);
    await page.locator('#post-v1-memory-search summary').click();
    if (colorScheme === 'light') await picture(page, 'api');
    found.push(...(await pale(page, 'docs')));
    expect(found).toEqual([]);
  });
});

describe('a text that runs from right to left', () => {
  it('begins at the right, and is cut at its end', async () => {
    const client = createClient({ workspace: workspace.folder });
    const { id } = await client.agent({ name: 'assistant' }).memory.add({ content: ARABIC });
    await client.close();
    const { page } = await visit(browser, workspace, `#memory/${id}`, {
      viewport: { width: 1000, height: 700 },
    });
    await page.locator('.row a[aria-current]', { hasText: 'أحمد' }).waitFor();
    const direction = "getComputedStyle(document.querySelector('.row a[aria-current] .line')).direction";
    expect(await page.evaluate(direction)).toBe('rtl');
    await page.locator('.detail .content', { hasText: 'أحمد' }).waitFor();
    const edges = await page.evaluate<{ left: number; right: number }>(FIRST_LETTER);
    expect(edges.right).toBeLessThan(edges.left);
  });
});
