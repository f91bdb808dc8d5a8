/** Any text goes in and comes out unchanged, and can be found by its own words: 500 naughty strings and thousands of others. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentMemory, type Client, createClient } from '../../src/index.ts';
import { queryTerms } from '../../src/kernel/analysis.ts';
import { campaign } from '../fixtures/campaign.ts';
import { NAUGHTY_STRINGS } from '../fixtures/naughty-strings.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

const SEED = Number(process.env.KEEPSAKE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Texts of one agent: few enough that a word which all of them hold is still found among the first hits. */
const GROUP = 50;

const { folder, remove } = makeFolder();
let client: Client;

beforeAll(() => {
  // This is about keeping any text as it is; what the guard does with some has tests of its own.
  const config = { memory: { maxEntries: 1_000_000 }, guard: { enabled: false } };
  client = createClient({ workspace: folder, config });
});
afterAll(async () => {
  await client.close();
  remove();
});

/** A run of letters and digits, as a person would pick it from a text; the middle one, so that any place has its turn. */
function wordOf(text: string): string | undefined {
  const runs =
    text
      .slice(0, 2_000)
      .replaceAll('\u00ad', '')
      .match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const words = runs.filter((word) => queryTerms(word).length > 0);
  return words[Math.floor(words.length / 2)];
}

const short = (text: string | undefined): string => JSON.stringify(text)?.slice(0, 200) ?? 'nothing';

const isRefused = (text: string): boolean => text.trim() === '' || !text.isWellFormed();

/** Stores a text; answers with its id, or with undefined when it was refused: blank, or with half of a character. */
async function store(memory: AgentMemory, text: string): Promise<string | undefined> {
  try {
    const { id, content } = await memory.add({ content: text });
    if (content !== text) throw new Error(`came back as ${short(content)}`);
    return id;
  } catch (error) {
    if (isRefused(text) && (error as { code?: string }).code === 'INVALID_INPUT') return undefined;
    throw new Error(`${short(text)}: ${String(error)}`, { cause: error });
  }
}

async function checkFound(memory: AgentMemory, text: string, id: string): Promise<void> {
  const word = wordOf(text);
  for (const query of word === undefined ? [text] : [text, word]) {
    const hits = await memory.search(query, { limit: GROUP, all: true });
    if (queryTerms(query).length > 0 && !hits.some((hit) => hit.id === id)) {
      throw new Error(`${short(text)} is not found by ${short(query)}`);
    }
    for (const { relevance } of hits) {
      if (!(relevance > 0 && relevance <= 1))
        throw new Error(`${short(query)} has a relevance of ${relevance}`);
    }
  }
}

async function check(prefix: string, texts: readonly string[]): Promise<number> {
  let stored = 0;
  for (let start = 0; start < texts.length; start += GROUP) {
    const { memory } = client.agent({ name: `${prefix} ${start / GROUP}` });
    const group = texts.slice(start, start + GROUP);
    const ids = await Promise.all(group.map((text) => store(memory, text)));
    const kept = new Map((await memory.list({ limit: 1_000 })).map((entry) => [entry.id, entry.content]));
    for (const [i, id] of ids.entries()) {
      if (id === undefined) continue;
      const text = group[i]!;
      if (kept.get(id) !== text) throw new Error(`${short(text)} is kept as ${short(kept.get(id))}`);
      await checkFound(memory, text, id);
      stored++;
    }
  }
  return stored;
}

describe('naughty strings', () => {
  it('are more than 500', () => {
    expect(NAUGHTY_STRINGS.length).toBeGreaterThan(500);
  });

  it('go in, come out exactly, and are found', async () => {
    const refused = NAUGHTY_STRINGS.filter(isRefused);
    expect(await check('naughty', NAUGHTY_STRINGS)).toBe(NAUGHTY_STRINGS.length - refused.length);
  });

  it('are answered as questions without an error, and the blank ones refused', async () => {
    for (const query of NAUGHTY_STRINGS) {
      const asking = client.memory.search(query);
      if (query.trim() === '') await expect(asking).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      else await asking;
    }
  });

  it('fit into categories, tags, metadata and keys as far as those allow', async () => {
    const { memory } = client.agent({ name: 'labels' });
    const label = (text: string) =>
      /^[^\p{Cc}]{1,128}$/u.test(text.trim()) && text.trim() !== '' && text.isWellFormed();
    const usable = NAUGHTY_STRINGS.filter(label);
    expect(usable.length).toBeGreaterThan(300);
    await Promise.all(
      usable.map(async (text, i) => {
        const expected = { category: text.trim(), tags: [text.trim()] };
        const { id } = await memory.add({
          content: `labelled ${i}`,
          category: text,
          tags: [text],
          metadata: { [`key ${i}`]: text },
          idempotencyKey: `${i} ${text}`,
        });
        expect(await memory.get(id)).toMatchObject({ ...expected, metadata: { [`key ${i}`]: text } });
        const listed = await memory.list({ category: text, tags: [text], limit: 1_000 });
        expect(listed.map((entry) => entry.id)).toContain(id);
      }),
    );
  });
});

const codeUnits = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
const generated = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 2, arbitrary: fc.string({ unit: codeUnits, maxLength: 60 }) },
  { weight: 2, arbitrary: fc.lorem({ maxCount: 20 }) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.webUrl() },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(...NAUGHTY_STRINGS.filter((text) => text.length < 100)), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => parts.join(' ')),
  },
);

describe('generated strings', () => {
  const count = campaign(2_500, 10_000);
  it(`${count} go in, come out exactly, and are found`, async () => {
    console.log(`seed ${SEED}; repeat with KEEPSAKE_SEED=${SEED}`);
    const texts = fc.sample(generated, { numRuns: count, seed: SEED });
    const refused = texts.filter(isRefused);
    expect(await check('generated', texts)).toBe(count - refused.length);
  });
});
