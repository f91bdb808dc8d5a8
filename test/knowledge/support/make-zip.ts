/** Packs files into a zip archive, and into the smallest office documents and books that programs write. */
import { crc32, deflateRawSync } from 'node:zlib';

export function makeZip(files: Readonly<Record<string, string | Uint8Array>>, flags = 0): Uint8Array {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const path = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), facts, path, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), facts, place, path]));
    bodies.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const relations = (targets: readonly string[]): string =>
  `<Relationships>${targets.map((target, i) => `<Relationship Id="rId${i + 1}" Target="${target}"/>`).join('')}</Relationships>`;

export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

export function makeDocx(body: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  return makeZip({
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
    // A German Word names its styles in German.
    'word/styles.xml':
      '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>',
    ...more,
  });
}

type Cell = string | number | Date;

export function makeXlsx(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Uint8Array {
  const strings: string[] = [];
  const cell = (value: Cell, column: number, row: number): string => {
    const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (value instanceof Date)
      return `<c ${at} s="1"><v>${(value.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000}</v></c>`;
    if (typeof value === 'number') return `<c ${at}><v>${value}</v></c>`;
    return value === '' ? '' : `<c ${at} t="s"><v>${strings.push(value) - 1}</v></c>`;
  };
  const pages = Object.values(sheets).map(
    (rows) =>
      `<worksheet><sheetData>${rows.map((cells, row) => `<row r="${row + 1}">${cells.map((value, column) => cell(value, column, row)).join('')}</row>`).join('')}</sheetData></worksheet>`,
  );
  return makeZip({
    'xl/workbook.xml': `<workbook><sheets>${Object.keys(sheets)
      .map(
        (name, i) =>
          `<sheet name="${escaped(name)}" sheetId="${i + 1}"${name.startsWith('_') ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(pages.map((_, i) => `worksheets/sheet${i + 1}.xml`)),
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(pages.map((page, i) => [`xl/worksheets/sheet${i + 1}.xml`, page])),
  });
}

export interface Slide {
  readonly title?: string;
  readonly lines: readonly string[];
  readonly notes?: string;
}

export function makePptx(slides: readonly Slide[]): Uint8Array {
  const shape = (type: string, lines: readonly string[]): string =>
    `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><p:txBody>${lines.map((line) => `<a:p><a:r><a:t>${escaped(line)}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`;
  const files: Record<string, string> = {
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    // In the archive they lie in another order than in the presentation.
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_, i) => `slides/slide${slides.length - i}.xml`),
    ),
  };
  slides.forEach(({ title, lines, notes }, i) => {
    const name = `slide${slides.length - i}.xml`;
    files[`ppt/slides/${name}`] =
      `<p:sld>${title === undefined ? '' : shape('title', [title])}${shape('body', lines)}${shape('sldNum', [String(i + 1)])}</p:sld>`;
    if (notes === undefined) return;
    files[`ppt/slides/_rels/${name}.rels`] = relations([`../notesSlides/notesSlide${i}.xml`]);
    files[`ppt/notesSlides/notesSlide${i}.xml`] = `<p:notes>${shape('body', [notes])}</p:notes>`;
  });
  return makeZip(files);
}

export function makeEpub(chapters: readonly string[]): Uint8Array {
  return makeZip({
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><manifest>${chapters.map((_, i) => `<item id="c${i}" href="text/part%20${i}.xhtml"/>`).join('')}</manifest><spine>${chapters.map((_, i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, i) => [
        `OEBPS/text/part ${i}.xhtml`,
        `<?xml version="1.0"?><html><head><title>Book</title></head><body>${body}</body></html>`,
      ]),
    ),
  });
}
