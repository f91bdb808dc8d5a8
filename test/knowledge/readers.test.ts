/** Reading files: HTML without its machinery, PDF by pages, and nothing that is not text. */
import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../src/knowledge/readers/entities.ts';
import { htmlText } from '../../src/knowledge/readers/html.ts';
import { formatOf, readDocument } from '../../src/knowledge/readers/index.ts';
import { pdfPages } from '../../src/knowledge/readers/pdf.ts';
import { makePdf } from './support/make-pdf.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('HTML', () => {
  it('becomes Markdown with its headings, lists, tables and code', () => {
    const { text } = htmlText(`<!doctype html><html><head><title>Page &amp; more</title>
      <style>h1 { color: red }</style><script>if (a < b) alert("<h1>no</h1>")</script></head>
      <body><!-- hidden --><h1>One <em>title</em></h1><p>A  first
      paragraph.<br>Next line.</p><ul><li>a<li><p>b</p></ul>
      <table><tr><td>x</td><td>y</td></tr><tr><td>z</td></tr></table>
      <pre>\n# shell\n  indented</pre><h2><div>Two</div></h2>End</body></html>`);
    expect(text).toBe(
      'Page & more\n\n# One title\n\nA first paragraph.\nNext line.\n\n- a\n- b\n\nx | y\nz\n\n```\n# shell\n  indented\n```\n\n## Two\n\nEnd\n',
    );
  });

  it('is cited by the lines of the file', () => {
    const page = htmlText('<html>\n<body>\n<p>first</p>\n\n<p>second</p>\n</body>');
    expect(page.lineAt(page.text.indexOf('first'))).toBe(3);
    expect(page.lineAt(page.text.indexOf('second'))).toBe(5);
    expect(page.lineAt(page.text.length)).toBe(5);
  });

  it('decodes character references, and leaves alone what is none', () => {
    expect(decodeEntities('&lt;&amp;&eacute;&#8364;&#x1F600;&hellip;')).toBe('<&é€😀…');
    expect(decodeEntities('AT&T &unknown; &; & &#xD800; &#0; &#99999999; &copy=1')).toBe(
      'AT&T &unknown; &; & � � � &copy=1',
    );
  });

  it.each([
    ['an unclosed tag', 'a <b class="x', 'a <b class="x'],
    ['an unclosed quote', '<p title="x>text</p>', 'text'],
    ['an unclosed comment', 'a<!-- b > c', 'a c'],
    ['an unclosed script', 'a<script>b < c', 'a'],
    ['an unclosed drawing', 'a<svg>b', 'ab'],
    ['angles in the text', '1 < 2 and 3 > 2 <3', '1 < 2 and 3 > 2 <3'],
    ['a quote in a bare value', "<p title=it's>x</p><p>y's</p>", "x\n\ny's"],
    ['an end tag without its start', '</pre></div>x', 'x'],
    ['code that is never closed', '<pre>a\nb', '```\na\nb\n```'],
    ['nothing', '', ''],
  ])('survives %s', (_, html, expected) => {
    expect(htmlText(html).text.trimEnd()).toBe(expected);
  });

  it('reads half a megabyte of rubbish in a straight line', () => {
    const rubbish = [
      '<',
      '<a',
      '<a ',
      '<a b="',
      "<a b='>",
      '<!--',
      '<!-->',
      '<!-- >',
      '<svg>',
      '<script',
      '&',
      '&#',
      '</',
      '<pre>',
    ];
    for (const part of [...rubbish, '<a b="><c d=\'>', '<p>', '<li>', '<td>']) {
      const html = part.repeat(Math.ceil(500_000 / part.length));
      expect(htmlText(html).text.length).toBeLessThan(6_000_000);
      expect(htmlText(`${html}> "the end"`).text).toBeTypeOf('string');
    }
  });
});

describe('PDF', () => {
  it('gives its text page by page, cited by page', async () => {
    const document = await readDocument('manual.PDF', makePdf(['Turn it on.', 'Turn it off.']));
    expect(document).toMatchObject({ unit: 'page', format: 'text' });
    expect(document.text).toContain('Turn it on.');
    expect(document.placeAt(document.text.indexOf('Turn it off.'))).toBe(2);
  });

  it('says what to install where the library is missing', async () => {
    const missing = () => Promise.reject(new Error("Cannot find package 'unpdf'"));
    await expect(pdfPages(bytes('%PDF'), missing)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: 'Reading PDF needs the package unpdf: npm install unpdf',
    });
  });

  it('says so when it is none', async () => {
    await expect(readDocument('a.pdf', bytes('not a pdf'))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('any other file', () => {
  it('is Markdown, code or text by its name', () => {
    expect(['a.MD', 'a.ts', 'b.py', 'LICENSE', 'notes.txt', 'x.html'].map(formatOf)).toEqual([
      'markdown',
      'code',
      'code',
      'text',
      'text',
      'html',
    ]);
  });

  it('is read from UTF-8 and UTF-16, without the mark at its beginning', async () => {
    const utf16 = Buffer.from('\ufeffgrün', 'utf16le');
    for (const data of [bytes('grün'), bytes('\ufeffgrün'), utf16, Buffer.from(utf16).swap16()]) {
      expect((await readDocument('a.txt', data)).text).toBe('grün');
    }
  });

  it('is read as Windows-1252 when it is not UTF-8 and nothing speaks against it', async () => {
    expect((await readDocument('a.txt', Buffer.from('gr\u00fcn', 'latin1'))).text).toBe('gr\u00fcn');
  });

  it('is refused when it is binary', async () => {
    for (const data of [
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
      new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
      Buffer.from('gr\u00fcn\u0002', 'latin1'),
      Buffer.from('gr\u00fcn\u0081', 'latin1'),
    ]) {
      await expect(readDocument('a.txt', data)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });
});
