/** The chapters of a book in EPUB, in the order in which they are read, cited by their numbers. */
import { posix } from 'node:path';
import { KeepsakeError } from '../../kernel/errors.ts';
import { htmlText } from './html.ts';
import { PlacedText, type ReadDocument } from './placed-text.ts';
import { xmlNodes } from './xml.ts';
import { ZipFiles } from './zip.ts';

export function epubDocument(bytes: Uint8Array): ReadDocument {
  const files = new ZipFiles(bytes);
  const container = files.text('META-INF/container.xml') ?? '';
  const rootFile = [...xmlNodes(container)].find(({ name }) => name === 'rootfile');
  const path = rootFile?.attribute('full-path') ?? '';
  const book = files.text(path);
  if (book === undefined) throw new KeepsakeError('INVALID_INPUT', 'It is not a book in EPUB.');
  const out = new PlacedText();
  let chapter = 0;
  for (const file of readingOrder(book, posix.dirname(path))) {
    const page = files.text(file);
    if (page === undefined) continue;
    chapter++;
    const { text } = htmlText(page.replace(/<title[\s>][\s\S]*?<\/title>/i, ''));
    if (text.trim() === '') continue;
    // Without a heading of its own it would seem to belong to the chapter before.
    out.add(text.startsWith('#') ? `${text}\n` : `# Chapter ${chapter}\n\n${text}\n`, chapter);
  }
  return out.document('markdown', 'chapter');
}

function readingOrder(book: string, folder: string): string[] {
  const places = new Map<string, string>();
  const order: string[] = [];
  for (const { kind, name, attribute } of xmlNodes(book)) {
    if (kind !== 'open') continue;
    const [id, href, idref] = [attribute('id'), attribute('href'), attribute('idref')];
    if (name === 'item' && id !== undefined && href !== undefined)
      places.set(id, posix.join(folder, decoded(href)));
    else if (name === 'itemref' && idref !== undefined) order.push(places.get(idref) ?? '');
  }
  return order;
}

function decoded(href: string): string {
  const path = href.split('#')[0] as string;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
