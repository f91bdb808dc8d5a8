/** The slides of a presentation with their notes, cited by the numbers of the slides. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { PlacedText, type ReadDocument } from './placed-text.ts';
import { relationsOf, tableRow, tableRule, xmlNodes } from './xml.ts';
import { ZipFiles } from './zip.ts';

const MAIN = 'ppt/presentation.xml';
const TITLES = new Set(['title', 'ctrTitle']);
/** Numbers, dates and footers, which every slide repeats. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

interface SlideText {
  readonly title: string;
  readonly text: string;
}

export function pptxDocument(bytes: Uint8Array): ReadDocument {
  const files = new ZipFiles(bytes);
  const main = files.text(MAIN);
  if (main === undefined) throw new KeepsakeError('INVALID_INPUT', 'It is not a PowerPoint presentation.');
  const links = relationsOf(files, MAIN);
  const out = new PlacedText();
  let slide = 0;
  for (const { kind, name, attribute } of xmlNodes(main)) {
    if (kind !== 'open' || name !== 'sldid') continue;
    slide++;
    const path = links.get(attribute('r:id') ?? '');
    const xml = path === undefined ? undefined : files.text(path);
    if (path === undefined || xml === undefined) continue;
    const { title, text } = textOf(xml);
    const notes = [...relationsOf(files, path).values()].find((target) => target.includes('notesSlide'));
    const said = notes === undefined ? '' : textOf(files.text(notes) ?? '').text.trim();
    if (title === '' && text.trim() === '' && said === '') continue;
    // Without a heading of its own it would seem to belong to the slide before.
    out.add(`# ${title === '' ? `Slide ${slide}` : title}\n\n${text}`, slide);
    out.add(said === '' ? '\n' : `\nNotes:\n\n${said}\n\n`, slide);
  }
  return out.document('markdown', 'slide');
}

function textOf(xml: string): SlideText {
  let [title, text, kindOfShape] = ['', '', ''];
  let [isText, words, cell, inTable] = [false, '', '', false];
  let cells: string[] = [];
  let rows = 0;
  for (const { kind, name, text: part, attribute } of xmlNodes(xml)) {
    const opens = kind === 'open';
    if (kind === 'text') {
      if (isText) words += part;
    } else if (name === 't') isText = opens;
    else if (name === 'sp') kindOfShape = '';
    else if (name === 'ph' && opens) kindOfShape = attribute('type') ?? 'body';
    else if (name === 'br' && opens) words += ' ';
    else if (name === 'tbl') [inTable, rows, text] = [opens, 0, `${text}\n`];
    else if (name === 'tr' && opens) cells = [];
    else if (name === 'tr') text += tableRow(cells) + (rows++ === 0 ? tableRule(cells.length) : '');
    else if (name === 'tc' && opens) cell = '';
    else if (name === 'tc') cells.push(cell);
    else if (name === 'p' && opens) words = '';
    else if (name === 'p') {
      const line = words.trim();
      if (line === '' || REPEATED.has(kindOfShape)) continue;
      if (inTable) cell += ` ${line}`;
      else if (TITLES.has(kindOfShape)) title += `${title === '' ? '' : ' '}${line.replace(/\s+/g, ' ')}`;
      else text += `- ${line}\n`;
    }
  }
  return { title, text };
}
