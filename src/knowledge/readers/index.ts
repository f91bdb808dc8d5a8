/** Reads a file of any supported type as text with positions for citations. */
import { extname } from 'node:path';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { TextFormat } from '../chunk.ts';
import { lineNumber, lineOffsets } from '../lines.ts';
import { decodeText } from './decode.ts';
import { docxDocument } from './docx.ts';
import { epubDocument } from './epub.ts';
import { htmlText } from './html.ts';
import { notebookText } from './notebook.ts';
import { pdfPages } from './pdf.ts';
import { PlacedText, type ReadDocument } from './placed-text.ts';
import { pptxDocument } from './pptx.ts';
import { xlsxDocument } from './xlsx.ts';

export type { ReadDocument } from './placed-text.ts';

const MARKDOWN = new Set(['.md', '.markdown', '.mdown', '.mdx']);
const HTML = new Set(['.html', '.htm', '.xhtml']);
const CODE = new Set(
  '.ts .tsx .mts .cts .js .jsx .mjs .cjs .py .go .rs .java .kt .kts .scala .c .h .cc .cpp .cxx .hpp .cs .swift .m .rb .php .pl .lua .r .jl .dart .ex .exs .erl .hs .ml .clj .fs .vue .svelte .astro .sh .bash .zsh .fish .ps1 .sql .graphql .proto .tf .zig .nim .css .scss .less .json .jsonc .yaml .yml .toml .ini .xml .gradle .groovy'.split(
    ' ',
  ),
);

/** Documents that are no text by themselves. */
const READERS: Readonly<Record<string, (bytes: Uint8Array) => ReadDocument>> = {
  docx: docxDocument,
  xlsx: xlsxDocument,
  pptx: pptxDocument,
  epub: epubDocument,
};
/** With macros they are built in the same way. */
const SAME_AS: Readonly<Record<string, string>> = { docm: 'docx', xlsm: 'xlsx', pptm: 'pptx', ppsx: 'pptx' };

/** What the name of a file says about what is in it. */
export function formatOf(
  path: string,
): TextFormat | 'html' | 'pdf' | 'notebook' | 'docx' | 'xlsx' | 'pptx' | 'epub' {
  const extension = extname(path).toLowerCase();
  if (MARKDOWN.has(extension)) return 'markdown';
  if (HTML.has(extension)) return 'html';
  if (CODE.has(extension)) return 'code';
  const name = SAME_AS[extension.slice(1)] ?? extension.slice(1);
  switch (name) {
    case 'csv':
    case 'tsv':
      return 'csv';
    case 'ipynb':
      return 'notebook';
    case 'pdf':
    case 'docx':
    case 'xlsx':
    case 'pptx':
    case 'epub':
      return name;
    default:
      return 'text';
  }
}

/** Throws a KeepsakeError that says why, when it is nothing to read. `encoding`: what a server said of it. */
export async function readDocument(
  path: string,
  bytes: Uint8Array,
  encoding?: string,
): Promise<ReadDocument> {
  const format = formatOf(path);
  if (format === 'pdf') return pagesDocument(await pdfPages(bytes));
  const read = READERS[format];
  if (read !== undefined) return read(bytes);
  const text = decodeText(bytes, encoding);
  if (text === undefined) {
    throw new KeepsakeError('INVALID_INPUT', 'It is a binary file, or text in an unknown encoding.', {
      hint: 'Save it as UTF-8, or add the text that it was made from instead.',
    });
  }
  if (format === 'html') {
    const page = htmlText(text);
    return { text: page.text, format: 'markdown', unit: 'line', placeAt: page.lineAt };
  }
  if (format === 'notebook') {
    const notebook = notebookText(text);
    return { text: notebook.text, format: 'markdown', unit: 'line', placeAt: notebook.lineAt };
  }
  const lines = lineOffsets(text);
  return { text, format: format as TextFormat, unit: 'line', placeAt: (offset) => lineNumber(lines, offset) };
}

function pagesDocument(pages: readonly string[]): ReadDocument {
  const out = new PlacedText();
  pages.forEach((page, i) => {
    out.add(`${page.trim()}\n\n`, i + 1);
  });
  return out.document('text', 'page');
}
