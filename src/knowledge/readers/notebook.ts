/** Jupyter notebooks as text: cells in order, with what they printed and without pictures, cited by the lines of the file. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { KeepsakeError } from '../../kernel/errors.ts';
import { lastAtMost, lineNumber, lineOffsets } from '../lines.ts';

export interface NotebookText {
  readonly text: string;
  /** The line of the file that a character of the text comes from, from 1. */
  lineAt(offset: number): number;
}

const FENCE = '```';

export function notebookText(source: string): NotebookText {
  const root = parseTree(source);
  const cells = root === undefined ? undefined : findNodeAtLocation(root, ['cells']);
  if (root === undefined || cells?.type !== 'array')
    throw new KeepsakeError('INVALID_INPUT', 'It is not a notebook that can be read.', {
      hint: 'Save it with Jupyter in the format 4.',
    });
  const language = textOf(findNodeAtLocation(root, ['metadata', 'kernelspec', 'language']));
  const [starts, lines]: [number[], number[]] = [[], []];
  const places = lineOffsets(source);
  let text = '';
  const add = (part: string, node: Node): void => {
    starts.push(text.length);
    lines.push(lineNumber(places, node.offset));
    text += part.toWellFormed();
  };
  const addAll = (strings: readonly Node[], fence: string | undefined): void => {
    const [first] = strings;
    const last = strings.at(-1);
    if (first === undefined || last === undefined) return;
    if (fence !== undefined) add(`${FENCE}${fence}\n`, first);
    for (const node of strings) add(textOf(node), node);
    add(fence === undefined ? '\n\n' : `\n${FENCE}\n\n`, last);
  };
  for (const cell of cells.children ?? []) {
    const isCode = textOf(findNodeAtLocation(cell, ['cell_type'])) === 'code';
    addAll(stringsOf(findNodeAtLocation(cell, ['source'])), isCode ? language : undefined);
    for (const output of findNodeAtLocation(cell, ['outputs'])?.children ?? [])
      addAll(printedBy(output), isCode ? '' : undefined);
  }
  return { text, lineAt: (offset) => lines[lastAtMost(starts, offset)] ?? 1 };
}

/** What it printed; the words beside a picture only say that there is one. */
function printedBy(output: Node): readonly Node[] {
  const data = findNodeAtLocation(output, ['data']);
  const kinds = (data?.children ?? []).map(({ children }) => textOf(children?.[0]));
  if (kinds.some((kind) => kind.startsWith('image/'))) return [];
  return stringsOf(
    findNodeAtLocation(output, ['text']) ?? findNodeAtLocation(output, ['data', 'text/plain']),
  );
}

/** A text in a notebook is a string, or a list of lines. */
function stringsOf(node: Node | undefined): readonly Node[] {
  const nodes = node?.type === 'array' ? (node.children ?? []) : node === undefined ? [] : [node];
  return nodes.filter((each) => textOf(each) !== '');
}

function textOf(node: Node | undefined): string {
  return typeof node?.value === 'string' ? node.value : '';
}
