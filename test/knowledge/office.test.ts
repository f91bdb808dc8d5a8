/** Word, Excel, PowerPoint and EPUB: their text, in order, with the places that a reader finds in the program. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/knowledge/readers/index.ts';
import { makeDocx, makeEpub, makePptx, makeXlsx, makeZip, paragraph } from './support/make-zip.ts';

const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;

describe('Word', () => {
  it('becomes Markdown with headings of any language, lists, tables, footnotes and text boxes', async () => {
    const body = [
      paragraph('Safety & more', 'berschrift1'),
      '<w:p><w:r><w:t>Wear a </w:t></w:r><w:r><w:t>helmet.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
      '<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>first</w:t></w:r></w:p>',
      paragraph('Prices', 'berschrift2'),
      `<w:tbl><w:tr>${cell('name')}${cell('price')}</w:tr><w:tr>${cell('rope')}${cell('a|b')}</w:tr></w:tbl>`,
      '<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r></w:p>',
      '<w:p><w:del><w:r><w:delText>taken out</w:delText></w:r></w:del><w:r><w:t>Last.</w:t></w:r></w:p>',
    ];
    const notes =
      '<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>The yellow one.</w:t></w:r></w:p></w:footnote></w:footnotes>';
    const document = await readDocument('a.docx', makeDocx(body.join(''), { 'word/footnotes.xml': notes }));
    expect(document.text).toBe(
      '# Safety & more\n\nWear a helmet. (The yellow one.)\n\n- first\n## Prices\n\n\n| name | price |\n| --- | --- |\n| rope | a\\|b |\n\nIn a box.\n\nLast.\n\n',
    );
    expect(document).toMatchObject({ unit: 'paragraph', format: 'markdown' });
    expect(document.placeAt(document.text.indexOf('helmet'))).toBe(2);
    expect(document.placeAt(document.text.indexOf('rope'))).toBe(7);
  });
});

describe('Excel', () => {
  it('becomes a table for each visible sheet, with dates as dates, cited by sheet and row', async () => {
    const document = await readDocument(
      'a.xlsx',
      makeXlsx({
        Prices: [['name', 'price', 'since'], ['rope', 12.5, new Date('2026-03-01T00:00:00Z')], [], ['', 7]],
        _secret: [['hidden']],
        'Q & A': [['question'], ['why']],
      }),
    );
    expect(document.text).toBe(
      '# Prices\n\n| name | price | since |\n| --- | --- | --- |\n| rope | 12.5 | 2026-03-01 |\n|  | 7 |\n\n# Q & A\n\n| question |\n| --- |\n| why |\n\n',
    );
    expect(document.placeAt(document.text.indexOf('| 7'))).toBe(4);
    expect(document.sheetAt?.(document.text.indexOf('why'))).toBe('Q & A');
    expect(document.placeAt(document.text.indexOf('why'))).toBe(2);
  });
});

describe('PowerPoint', () => {
  it('gives its slides in their order with titles and notes, without their numbers', async () => {
    const slides = [
      { title: 'Plan', lines: ['one', 'two'], notes: 'Say hello.' },
      { lines: ['no title here'] },
    ];
    const document = await readDocument('a.pptx', makePptx(slides));
    expect(document.text).toBe(
      '# Plan\n\n- one\n- two\n\nNotes:\n\n- Say hello.\n\n# Slide 2\n\n- no title here\n\n',
    );
    expect(document.placeAt(document.text.indexOf('hello'))).toBe(1);
    expect(document.placeAt(document.text.indexOf('no title'))).toBe(2);
  });
});

describe('EPUB', () => {
  it('gives its chapters in the order of the book', async () => {
    const document = await readDocument('a.epub', makeEpub(['<h1>One</h1><p>First.</p>', '<p>Second.</p>']));
    expect(document.text).toBe('# One\n\nFirst.\n\n# Chapter 2\n\nSecond.\n\n');
    expect(document.placeAt(document.text.indexOf('Second'))).toBe(2);
  });
});

describe('an archive', () => {
  it.each([
    ['no archive', Buffer.from('PK nothing'), /not a zip archive/],
    ['an empty file', new Uint8Array(), /not a zip archive/],
    ['another archive', makeZip({ 'a.txt': 'x' }), /not a Word document/],
    ['one with a password', makeZip({ 'word/document.xml': 'x' }, 1), /protected by a password/],
    ['a cut one', makeDocx(paragraph('x')).subarray(200), /damaged zip archive|not a Word document/],
  ])('is refused with a reason when it is %s', async (_, bytes, reason) => {
    await expect(readDocument('a.docx', bytes)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(reason),
    });
  });

  it('is refused when it unpacks to far more than it seems', async () => {
    const bomb = makeZip({ 'word/document.xml': Buffer.alloc(80 * 1024 * 1024, 65) });
    expect(bomb.length).toBeLessThan(200_000);
    await expect(readDocument('a.docx', bomb)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('survives any damage to its bytes', async () => {
    const whole = makeXlsx({
      Sheet: [
        ['a', 'b'],
        ['c', 1],
      ],
    });
    for (let at = 0; at < whole.length; at++) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at]! + 129) % 256;
      const end = await readDocument('a.xlsx', bytes).catch((error: unknown) => error);
      if (end instanceof Error) expect(end).toHaveProperty('code');
    }
  });
});
