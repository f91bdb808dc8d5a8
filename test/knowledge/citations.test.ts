/** Every chunk of every kind of document stands where its citation says, to the line, page, row, slide, chapter or paragraph. */
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/index.ts';
import { knowledgeWorkspace } from './support/fixture.ts';
import { makePdf } from './support/make-pdf.ts';
import { makeDocx, makeEpub, makePptx, makeXlsx, paragraph } from './support/make-zip.ts';

const WORDS = 'ant bee cat dog eel fox gnu hen ibis jay kiwi lark mole newt owl'.split(' ');
/** A sentence that occurs once. */
const unique = (place: number): string =>
  `Number ${place} says ${WORDS[place % WORDS.length]} and ${WORDS[(place * 7) % WORDS.length]}${place} to all.`;
/** The places of all sentences in a text. */
const placesIn = (text: string): number[] =>
  [...text.matchAll(/Number (\d+) says/g)].map(([, n]) => Number(n));

async function chunksOf(name: string, content: string | Uint8Array): Promise<readonly MemoryRecord[]> {
  const { knowledge, write, path, chunks } = knowledgeWorkspace();
  write(name, content);
  await knowledge.add(path(name));
  return chunks();
}

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i + 1)).join('\n');

const BY_LINE: Readonly<Record<string, string>> = {
  'a.md': lines(900, (n) => (n % 40 === 1 ? `## Part ${n}` : n % 9 === 0 ? '' : unique(n))),
  'table.md': lines(
    600,
    (n) => ['# Table', '', '| a | b |', '|---|---|'][n - 1] ?? `| ${unique(n)} | ${n} |`,
  ),
  'a.txt': lines(500, (n) => (n % 5 === 0 ? '' : unique(n))),
  'crlf.txt': lines(500, (n) => unique(n)).replaceAll('\n', '\r\n'),
  'a.csv': lines(500, (n) => (n === 1 ? 'what,number' : `"${unique(n)}",${n}`)),
  'a.py': lines(700, (n) =>
    n % 60 === 1 ? `class C${n}:` : n % 12 === 1 ? `    def f${n}(self):` : `        say("${unique(n)}")`,
  ),
  'a.html': lines(600, (n) => (n % 30 === 1 ? `<h2>Part ${n}</h2>` : `<p>${unique(n)}</p>`)),
};

describe('the citation of a chunk', () => {
  it.each(Object.entries(BY_LINE))('names the lines of %s', async (name, content) => {
    const chunks = await chunksOf(name, content);
    expect(chunks.length).toBeGreaterThan(5);
    const seen = new Set<number>();
    for (const { content: text, metadata } of chunks) {
      const { startLine, endLine } = metadata as { startLine: number; endLine: number };
      for (const place of placesIn(text)) {
        expect(place).toBeGreaterThanOrEqual(startLine);
        expect(place).toBeLessThanOrEqual(endLine);
        seen.add(place);
      }
      const own = content
        .split(/\r?\n/)
        .slice(startLine - 1, endLine)
        .join('\n');
      if (name !== 'a.html') expect(own).toContain(text.trimEnd().split(/\r?\n/).at(-1));
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([...new Set(placesIn(content))]);
  });

  const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
  const long = (n: number): string => `${unique(n)} ${'More words of it. '.repeat(30)}`;

  it.each([
    ['a.pdf', 'page', makePdf(numbers(40).map(long))],
    [
      'a.docx',
      'paragraph',
      makeDocx(
        numbers(300)
          .map((n) => paragraph(unique(n), n % 50 === 1 ? 'berschrift1' : ''))
          .join(''),
      ),
    ],
    [
      'a.pptx',
      'slide',
      makePptx(
        numbers(30).map((n) => ({
          ...(n % 3 ? { title: `Slide about ${n}` } : {}),
          lines: [long(n), long(n)],
        })),
      ),
    ],
    [
      'a.epub',
      'chapter',
      makeEpub(numbers(20).map((n) => `${n % 2 ? `<h1>Part ${n}</h1>` : ''}<p>${long(n).repeat(6)}</p>`)),
    ],
  ])('names the places of %s by %s', async (name, unit, content) => {
    const chunks = await chunksOf(name, content);
    const seen = new Set<number>();
    const key = `${unit[0]!.toUpperCase()}${unit.slice(1)}`;
    for (const { content: text, metadata } of chunks) {
      const [start, end] = [Number(metadata[`start${key}`]), Number(metadata[`end${key}`])];
      for (const place of placesIn(text)) {
        expect(place).toBeGreaterThanOrEqual(start);
        expect(place).toBeLessThanOrEqual(end);
        seen.add(place);
      }
    }
    expect(seen.size).toBeGreaterThanOrEqual(20);
    expect(Math.max(...seen)).toBe(seen.size);
  });

  it('names the sheet and the rows of a workbook', async () => {
    const sheet = (from: number) => [['what', 'number'], ...numbers(120).map((n) => [unique(from + n), n])];
    const chunks = await chunksOf('a.xlsx', makeXlsx({ First: sheet(0), Second: sheet(1000) }));
    const seen = new Set<number>();
    for (const { content: text, metadata } of chunks) {
      expect(text).toContain('| what | number |\n| --- | --- |\n');
      const {
        sheet: name,
        startRow,
        endRow,
      } = metadata as { sheet: string; startRow: number; endRow: number };
      for (const place of placesIn(text)) {
        expect(name).toBe(place > 1000 ? 'Second' : 'First');
        expect((place % 1000) + 1).toBeGreaterThanOrEqual(startRow);
        expect((place % 1000) + 1).toBeLessThanOrEqual(endRow);
        seen.add(place);
      }
    }
    expect(seen.size).toBe(240);
  });

  it('is written as a reader finds the place', async () => {
    const { knowledge, write, path } = knowledgeWorkspace();
    write('docs/a.pptx', makePptx([{ lines: ['x'] }, { title: 'Engines', lines: ['Oil them on Mondays.'] }]));
    write(
      'docs/b.xlsx',
      makeXlsx({
        'My prices': [
          ['what', 'price'],
          ['zebra', 12],
        ],
      }),
    );
    write('docs/c.docx', makeDocx(paragraph('Parrots like pineapple.')));
    write('docs/d.epub', makeEpub(['<h1>Whales</h1><p>They sing at night.</p>']));
    expect(await knowledge.add(path('docs'))).toMatchObject({ files: 4, skipped: [] });
    const cited = async (query: string) => (await knowledge.search(query))[0]?.citation;
    expect(await cited('when to oil the engines')).toBe('docs/a.pptx#slide=2');
    expect(await cited('zebra price')).toBe('docs/b.xlsx#sheet=My prices&row=1-2');
    expect(await cited('what do parrots like')).toBe('docs/c.docx#paragraph=1');
    expect(await cited('whales sing')).toBe('docs/d.epub#chapter=1');
  });

  it('names every place of a text that a file repeats', async () => {
    const { knowledge, write, path, chunks } = knowledgeWorkspace();
    const licence = `## Licence\nFree for all zebras.\n${'Words of the licence. '.repeat(20)}\n`;
    const other = (n: number) => `## Part ${n}\n${'Something else. '.repeat(20)}\n`;
    write('a.md', licence + other(1) + licence + other(2) + licence);
    await knowledge.add(path('a.md'));
    expect(await chunks()).toHaveLength(3);
    const [hit] = await knowledge.search('zebras licence');
    expect(hit).toMatchObject({ citation: 'a.md:1-3', also: ['a.md:6-8', 'a.md:11-13'] });
    write('a.md', licence + other(1) + other(2) + licence);
    await knowledge.refresh();
    expect((await knowledge.search('zebras licence'))[0]).toMatchObject({ also: ['a.md:8-10'] });
  });

  it('says nothing twice: equal passages of several files and agents are one, with all their places', async () => {
    const { client, knowledge, write, path } = knowledgeWorkspace();
    const text = 'Zebras have stripes that no other animal has.\n';
    write('docs/a.md', text);
    write('docs/b.md', text);
    write('docs/c.md', 'Zebras sleep standing.\n');
    await knowledge.add(path('docs'), { scope: 'swarm' });
    const bob = client.agent({ name: 'bob' });
    await bob.knowledge.add(path('docs'), { scope: 'swarm' });
    const hits = await bob.knowledge.search('what do zebras have', { minRelevance: 0 });
    expect(hits.map(({ content }) => content.trim()).sort()).toEqual([
      'Zebras have stripes that no other animal has.',
      'Zebras sleep standing.',
    ]);
    const places = hits.flatMap(({ citation, also }) => [citation, ...also]).sort();
    expect(places).toEqual(['docs/a.md:1', 'docs/b.md:1', 'docs/c.md:1']);
    // Twins take no place from others.
    expect(await bob.knowledge.search('what do zebras have', { minRelevance: 0, limit: 2 })).toHaveLength(2);
  });
});
