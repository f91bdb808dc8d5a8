/** Reads a file of any known kind as text that can be cut and cited. */
import { extname } from 'node:path';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { TextFormat } from '../chunk.ts';
import { lastAtMost, lineNumber, lineOffsets } from '../lines.ts';
import { decodeText } from './decode.ts';
import { htmlText } from './html.ts';
import { notebookText } from './notebook.ts';
import { pdfPages } from './pdf.ts';

export interface ReadDocument {
  readonly text: string;
  readonly format: TextFormat;
  /** What citations count: lines of the file, or pages. */
  readonly unit: 'line' | 'page';
  /** The line or page that a character of the text comes from, from 1. */
  placeAt(offset: number): number;
}

const MARKDOWN = new Set(['.md', '.markdown', '.mdown', '.mdx']);
const HTML = new Set(['.html', '.htm', '.xhtml']);
const CODE = new Set(
  '.ts .tsx .mts .cts .js .jsx .mjs .cjs .py .go .rs .java .kt .kts .scala .c .h .cc .cpp .cxx .hpp .cs .swift .m .rb .php .pl .lua .r .jl .dart .ex .exs .erl .hs .ml .clj .fs .vue .svelte .astro .sh .bash .zsh .fish .ps1 .sql .graphql .proto .tf .zig .nim .css .scss .less .json .jsonc .yaml .yml .toml .ini .xml .gradle .groovy'.split(
    ' ',
  ),
);

/** What the name of a file says about what is in it. */
export function formatOf(path: string): TextFormat | 'html' | 'pdf' | 'notebook' {
  const extension = extname(path).toLowerCase();
  if (MARKDOWN.has(extension)) return 'markdown';
  if (HTML.has(extension)) return 'html';
  if (extension === '.pdf') return 'pdf';
  if (extension === '.ipynb') return 'notebook';
  return CODE.has(extension) ? 'code' : 'text';
}

/** Throws a KeepsakeError that says why, when it is nothing to read. */
export async function readDocument(path: string, bytes: Uint8Array): Promise<ReadDocument> {
  const format = formatOf(path);
  if (format === 'pdf') return pagesDocument(await pdfPages(bytes));
  const text = decodeText(bytes);
  if (text === undefined) {
    throw new KeepsakeError('INVALID_INPUT', 'It is a binary file, or not UTF-8 text.', {
      hint: 'Add the text that it was made from instead.',
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
  return { text, format, unit: 'line', placeAt: (offset) => lineNumber(lines, offset) };
}

function pagesDocument(pages: readonly string[]): ReadDocument {
  const starts: number[] = [];
  let text = '';
  for (const page of pages) {
    starts.push(text.length);
    text += `${page.trim().toWellFormed()}\n\n`;
  }
  return { text, format: 'text', unit: 'page', placeAt: (offset) => lastAtMost(starts, offset) + 1 };
}
