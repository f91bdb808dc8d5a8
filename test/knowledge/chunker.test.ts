/** Cutting documents: nothing is lost, nothing is too long, and cuts lie where a reader would make them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk, TextFormat } from '../../src/knowledge/chunk.ts';
import { chunkText } from '../../src/knowledge/chunker.ts';

const FORMATS: readonly TextFormat[] = ['markdown', 'code', 'text', 'csv'];
const DEFAULTS = { size: 2000, overlap: 100 };

const together = (chunks: readonly Chunk[]): string =>
  chunks.map(({ text, overlap }) => text.slice(overlap)).join('');

/** Documents made of what makes cutting hard. */
const piece = fc.constantFrom(
  ...['# Title', '## Sub', '### Deep #', 'Under\n===', 'Under\n---', '---', '```', '```ts', '~~~', '~~~~'],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\r\n\r\n',
    '   ',
    '\t',
    ' ',
    'A sentence. ',
    'Really? ',
    '日本語。',
    '😀',
    '👨‍👩‍👧',
  ],
  ...[
    'word',
    'x'.repeat(70),
    'function a() {\n  return 1;\n}\n',
    '- item\n',
    '| a | b |\n',
    '|---|---|\n',
    '  if (x) {\n    y();\n\n    z();\n  }\n',
    'class A:\n  def b(self):\n    return 1\n',
    '"',
    '\ud83d',
    '\ude00',
  ],
);
const document = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 12 })), { maxLength: 120 })
  .map((all) => all.join(''));
const options = fc.record({
  size: fc.integer({ min: 1, max: 120 }),
  overlap: fc.integer({ min: 0, max: 130 }),
});

describe('chunkText', () => {
  it('A-70 drops nothing: without their overlaps the chunks are the text', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(...FORMATS), options, (text, format, settings) => {
        expect(together(chunkText(text, format, settings))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('A-70 makes no chunk longer than it may be, and cuts no character and no CRLF in two', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(...FORMATS), options, (text, format, settings) => {
        for (const { text: part, start, end, overlap, lead } of chunkText(text, format, settings)) {
          // A pair of surrogates is never cut, not even where only half of it would fit.
          expect(lead.length + part.length).toBeLessThanOrEqual(Math.max(settings.size, 2));
          expect(text.slice(0, start)).toContain(lead.split('\n')[0]);
          expect(part).toBe(text.slice(start, end));
          expect(overlap).toBeLessThanOrEqual(settings.overlap);
          for (const at of [start, start + overlap, end]) {
            const around = text.slice(Math.max(0, at - 1), at + 1);
            expect(around).not.toBe('\r\n');
            expect(around).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('begins a chunk at each heading and knows the headings above it', () => {
    const text = `Intro ${'a '.repeat(120)}\n\n# Guide\n${'b '.repeat(200)}\n## Install\n${'c '.repeat(150)}\n# Other\nend\n`;
    const chunks = chunkText(text, 'markdown', DEFAULTS);
    expect(chunks.map(({ headings }) => headings)).toEqual([[], ['Guide'], ['Guide', 'Install'], ['Other']]);
    expect(chunks[2]?.text).toMatch(/^## Install\n/);
    expect(chunks.every(({ overlap }) => overlap === 0)).toBe(true);
  });

  it('keeps a bare title together with what follows under it', () => {
    const chunks = chunkText('# Manual\n\n## First\nOne.\n\n## Second\nTwo.\n', 'markdown', DEFAULTS);
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ['Manual', 'First'],
      ['Manual', 'Second'],
    ]);
    expect(chunks[0]?.text).toBe('# Manual\n\n## First\nOne.\n\n');
  });

  it('takes no comment in code, no frontmatter and no table for a heading', () => {
    const text =
      '---\ntitle: x\n---\n# Real\n```sh\n# not a heading\n```\n\n| a |\n|---|\n\n~~~\n# neither\n';
    expect(chunkText(text, 'markdown', DEFAULTS).map(({ headings }) => headings)).toEqual([['Real']]);
  });

  it('sees underlined headings', () => {
    const filler = 'x '.repeat(200);
    const chunks = chunkText(`One\n===\n${filler}\nTwo\n---\n${filler}\n`, 'markdown', DEFAULTS);
    expect(chunks.map(({ headings }) => headings)).toEqual([['One'], ['One', 'Two']]);
    expect(chunks[1]?.text).toMatch(/^Two\n---/);
  });

  it('does not cut code in Markdown that fits into a chunk', () => {
    const fence = `\`\`\`ts\n${'const a = 1;\n\n'.repeat(100)}\`\`\`\n`;
    for (const before of [0, 300, 700, 1200, 1900]) {
      const text = `# H\n${'A sentence of words. '.repeat(before / 21)}\n\n${fence}\nAnd after it. `.padEnd(
        5000,
        'More. ',
      );
      const chunks = chunkText(text, 'markdown', DEFAULTS);
      expect(together(chunks)).toBe(text);
      expect(chunks.some((chunk) => chunk.text.includes(fence))).toBe(true);
    }
  });

  it('cuts code that is too long at a line', () => {
    const text = `\`\`\`\n${'let value = compute(1, 2, 3);\n'.repeat(300)}\`\`\`\n`;
    const chunks = chunkText(text, 'markdown', DEFAULTS);
    expect(chunks.length).toBeGreaterThan(4);
    for (const { text: part } of chunks) expect(part).toMatch(/\n$/);
  });

  it('cuts prose at paragraphs, long paragraphs at sentences, and shares the end of the chunk before', () => {
    const paragraph = `${'These are some words of a sentence. '.repeat(15).trim()}\n\n`;
    const byParagraph = chunkText(paragraph.repeat(10), 'text', DEFAULTS);
    for (const { text } of byParagraph) expect(text).toMatch(/sentence\.\n\n$/);

    const bySentence = chunkText('These are some words of a sentence. '.repeat(200), 'text', DEFAULTS);
    for (const { text } of bySentence) expect(text).toMatch(/sentence\. $/);
    bySentence.slice(1).forEach(({ text, overlap }, i) => {
      expect(overlap).toBeGreaterThan(60);
      expect(bySentence[i]?.text.endsWith(text.slice(0, overlap))).toBe(true);
      expect(text).toMatch(/^\S/);
    });
  });

  it('cuts code between declarations', () => {
    const one = (name: string) => `function ${name}() {\n${'  work();\n\n'.repeat(60)}}\n\n`;
    const chunks = chunkText(['a', 'b', 'c', 'd'].map(one).join(''), 'code', { size: 1500, overlap: 0 });
    expect(chunks.map(({ text }) => /^function (.)/.exec(text)?.[1])).toEqual(['a', 'c']);
  });

  it('repeats the header row in each chunk of a table, and cuts it between rows', () => {
    const header = '| name | price |\n|---|---|\n';
    const row = (i: number) => `| thing ${i}. And more words. | ${i} |\n`;
    const text = `# Prices\n\nAll of them.\n\n${header}${Array.from({ length: 200 }, (_, i) => row(i)).join('')}\nThe end.\n`;
    const chunks = chunkText(text, 'markdown', DEFAULTS);
    expect(together(chunks)).toBe(text);
    const inTable = chunks.filter(({ lead }) => lead !== '');
    expect(inTable.length).toBe(chunks.length - 1);
    for (const { text: part, lead, overlap } of inTable) {
      expect(lead).toBe(header);
      expect(overlap).toBe(0);
      expect(part).toMatch(/^\| thing \d+\. And/);
    }
  });

  it('repeats the header of a CSV file, and cuts no record with a line break in it', () => {
    const text = `id,note\n${Array.from({ length: 100 }, (_, i) => `${i},"first line\nsecond ""line"" of ${i}"\n`).join('')}`;
    const chunks = chunkText(text, 'csv', { size: 400, overlap: 50 });
    expect(together(chunks)).toBe(text);
    for (const { text: part, lead } of chunks.slice(1)) {
      expect(lead).toBe('id,note\n');
      expect(part).toMatch(/^\d+,"first line\n/);
    }
  });

  it('keeps each function whole that fits into a chunk, with its comment and decorators', () => {
    const one = (name: string, lines: number) =>
      `# About ${name}.\n@cached\ndef ${name}(x):\n${'    work(x)\n\n'.repeat(lines)}    return x\n\n`;
    const sizes = [10, 55, 90, 30, 120, 5, 5, 80, 100];
    const all = sizes.map((lines, i) => one(`f${i}`, lines));
    const chunks = chunkText(all.join(''), 'code', DEFAULTS);
    expect(together(chunks)).toBe(all.join(''));
    for (const whole of all) expect(chunks.some(({ text }) => text.includes(whole))).toBe(true);
    for (const { text } of chunks) expect(text).toMatch(/^# About/);
  });

  it('cuts a class between its methods, and says in each part of which class', () => {
    const method = (name: string) => `  ${name}(): void {\n${'    work();\n\n'.repeat(60)}  }\n\n`;
    const text = `export class Engine {\n${['start', 'stop', 'wait', 'run'].map(method).join('')}}\n`;
    const chunks = chunkText(text, 'code', DEFAULTS);
    expect(together(chunks)).toBe(text);
    expect(chunks.map(({ text: part, lead }) => lead + part.split('\n')[0])).toEqual([
      'export class Engine {',
      'export class Engine {\n  wait(): void {',
    ]);
  });

  it('says in which function a part of a very long one stands', () => {
    const text = `class A:\n    def long(self):\n${'        step(1)\n'.repeat(500)}`;
    const chunks = chunkText(text, 'code', DEFAULTS);
    expect(together(chunks)).toBe(text);
    for (const { lead, text: part } of chunks.slice(1)) {
      expect(lead).toBe('class A:\n    def long(self):\n');
      expect(part).toMatch(/^ {8}step/);
    }
  });

  it('begins no overlap in the middle of code or of a table', () => {
    const fence = `\`\`\`ts\n${'const a = compute(1, 2);\n'.repeat(70)}\`\`\`\n`;
    const table = `| a | b |\n|---|---|\n${'| some words | other words |\n'.repeat(60)}`;
    const text = `${fence}\n${'Prose of words. '.repeat(60)}\n\n${table}\n${'More prose. '.repeat(200)}\n`;
    const chunks = chunkText(text, 'markdown', DEFAULTS);
    expect(chunks.some(({ overlap }) => overlap > 0)).toBe(true);
    for (const { text: part, overlap } of chunks)
      if (overlap > 0) expect(part.slice(0, overlap)).toMatch(/^(?!const)[^|]*$/);
  });

  it('handles long input in a straight line, whatever it is made of', () => {
    for (const part of [
      '<',
      '#',
      '# \n',
      '```\n',
      '\n',
      ' ',
      '\r',
      'a',
      '😀',
      '- ',
      '---\n',
      'x\n---\n',
      '. ',
      '~~~~',
      '|',
      '|\n',
      '|-|\n',
      '    x\n',
      '}\n',
      '"',
    ]) {
      const text = part.repeat(Math.ceil(100_000 / part.length));
      for (const format of FORMATS)
        expect(together(chunkText(text, format, DEFAULTS)).length).toBe(text.length);
    }
  });

  it('makes nothing of nothing', () => {
    for (const format of FORMATS) expect(chunkText('', format, DEFAULTS)).toEqual([]);
  });
});
