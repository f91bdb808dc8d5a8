/** Cutting documents: nothing is lost, nothing is too long, and cuts lie where a reader would make them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk, TextFormat } from '../../src/knowledge/chunk.ts';
import { chunkText } from '../../src/knowledge/chunker.ts';

const FORMATS: readonly TextFormat[] = ['markdown', 'code', 'text'];
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
        for (const { text: part, start, end, overlap } of chunkText(text, format, settings)) {
          // A pair of surrogates is never cut, not even where only half of it would fit.
          expect(part.length).toBeLessThanOrEqual(Math.max(settings.size, 2));
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
