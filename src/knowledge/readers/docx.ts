/** The text of a Word document as Markdown, cited by the numbers of its paragraphs. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { PlacedText, type ReadDocument } from './placed-text.ts';
import { tableRow, tableRule, xmlNodes } from './xml.ts';
import { ZipFiles } from './zip.ts';

const MAIN = 'word/document.xml';
const MAX_LEVEL = 6;

export function docxDocument(bytes: Uint8Array): ReadDocument {
  const files = new ZipFiles(bytes);
  const main = files.text(MAIN);
  if (main === undefined) throw new KeepsakeError('INVALID_INPUT', 'It is not a Word document.');
  const body = new Body(headingStyles(files.text('word/styles.xml') ?? ''), notesOf(files));
  return body.read(main);
}

/** Ids of styles differ by language and template; the names of those that come with Word do not. */
function headingStyles(styles: string): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  let id = '';
  for (const { kind, name, attribute } of xmlNodes(styles)) {
    if (kind !== 'open') continue;
    if (name === 'style') id = attribute('styleid') ?? '';
    else if (name === 'name') {
      const level = /^heading (\d)$/i.exec(attribute('val') ?? '')?.[1];
      if (level !== undefined) levels.set(id, Number(level));
      else if (/^title$/i.test(attribute('val') ?? '')) levels.set(id, 1);
    } else if (name === 'outlinelvl' && !levels.has(id)) {
      levels.set(id, Number(attribute('val')) + 1);
    }
  }
  return levels;
}

/** Footnotes and endnotes: kind and id → text. */
function notesOf(files: ZipFiles): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote']) {
    let id = '';
    let text = '';
    let isText = false;
    for (const node of xmlNodes(files.text(`word/${kind}s.xml`) ?? '')) {
      if (node.name === kind && node.kind === 'open') [id, text] = [node.attribute('id') ?? '', ''];
      else if (node.name === kind && text.trim() !== '') notes.set(`${kind} ${id}`, text.trim());
      else if (node.name === 't') isText = node.kind === 'open';
      else if (node.kind === 'text' && isText) text += node.text;
    }
  }
  return notes;
}

class Body {
  readonly #levels: ReadonlyMap<string, number>;
  readonly #notes: ReadonlyMap<string, string>;
  readonly #out = new PlacedText();
  /** Paragraphs and tables stand in others: in text boxes, and in cells. */
  #depth = 0;
  #tables = 0;
  #paragraph = 0;
  #begin = 0;
  #level = 0;
  #isItem = false;
  #words = '';
  #cell = '';
  #cells: string[] = [];
  #rowBegin = 0;
  #rows = 0;

  constructor(levels: ReadonlyMap<string, number>, notes: ReadonlyMap<string, string>) {
    this.#levels = levels;
    this.#notes = notes;
  }

  read(xml: string): ReadDocument {
    let isText = false;
    let skipped = 0;
    for (const { kind, name, text, attribute } of xmlNodes(xml)) {
      const opens = kind === 'open';
      // The same once more, for programs that do not know the first form.
      if (name === 'fallback') skipped += opens ? 1 : -1;
      if (skipped > 0) continue;
      if (kind === 'text') {
        if (isText) this.#words += text;
      } else if (name === 't') isText = opens;
      else if (name === 'p') this.#paragraphs(opens);
      else if (name === 'tbl') this.#table(opens);
      else if (name === 'tr' && this.#tables === 1) this.#row(opens);
      else if (name === 'tc' && this.#tables === 1) this.#oneCell(opens);
      else if (!opens) continue;
      else if (name === 'pstyle') this.#level = this.#levels.get(attribute('val') ?? '') ?? 0;
      else if (name === 'outlinelvl' && this.#level === 0) this.#level = Number(attribute('val')) + 1;
      else if (name === 'numpr') this.#isItem = true;
      else if (name === 'tab' && this.#depth > 0) this.#words += ' ';
      else if (name === 'br' || name === 'cr') this.#words += '\n';
      else if (name === 'footnotereference' || name === 'endnotereference')
        this.#note(name, attribute('id') ?? '');
    }
    return this.#out.document('markdown', 'paragraph');
  }

  #note(name: string, id: string): void {
    const text = this.#notes.get(`${name.replace('reference', '')} ${id}`);
    if (text !== undefined) this.#words += ` (${text})`;
  }

  #paragraphs(opens: boolean): void {
    if (opens) {
      this.#paragraph++;
      if (this.#depth++ > 0) this.#words += ' ';
      else [this.#begin, this.#level, this.#isItem, this.#words] = [this.#paragraph, 0, false, ''];
      return;
    }
    if (this.#depth === 0 || --this.#depth > 0) return;
    const words = this.#words.trim();
    if (this.#tables > 0) this.#cell += ` ${words}`;
    else if (words !== '') this.#out.add(this.#written(words), this.#begin);
  }

  #written(words: string): string {
    if (this.#level > 0 && this.#level <= MAX_LEVEL)
      return `${'#'.repeat(this.#level)} ${words.replace(/\s+/g, ' ')}\n\n`;
    return this.#isItem ? `- ${words}\n` : `${words}\n\n`;
  }

  #table(opens: boolean): void {
    this.#tables += opens ? 1 : -1;
    if (this.#tables === 1 && opens) this.#rows = 0;
    // A blank line, so that what follows is not taken for a row.
    if (this.#tables === 0) this.#out.add('\n', this.#paragraph);
  }

  #row(opens: boolean): void {
    if (opens) {
      this.#cells = [];
      this.#rowBegin = this.#paragraph + 1;
      return;
    }
    if (this.#cells.every((cell) => cell.trim() === '')) return;
    this.#out.add((this.#rows === 0 ? '\n' : '') + tableRow(this.#cells), this.#rowBegin);
    if (this.#rows++ === 0) this.#out.add(tableRule(this.#cells.length), this.#rowBegin);
  }

  #oneCell(opens: boolean): void {
    if (opens) this.#cell = '';
    else this.#cells.push(this.#cell);
  }
}
