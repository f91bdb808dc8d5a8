/** Which format a text is in, by its content: the names of files lie. */
import { headingLines } from './heading.ts';
import { isHead } from './jsonl.ts';
import { invalid } from './problem.ts';

export const CONVERSATION_FORMATS = ['json', 'jsonl', 'yaml', 'markdown'] as const;
export type ConversationFormat = (typeof CONVERSATION_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, ConversationFormat>> = {
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  yaml: 'yaml',
  yml: 'yaml',
  md: 'markdown',
  markdown: 'markdown',
};

/** The format to write a file in, by its extension. */
export function formatForFile(name: string): ConversationFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

export function detectFormat(text: string): ConversationFormat {
  const start = text.search(/\S/);
  if (start === -1) throw invalid('', 'is empty', 'Give a file that was exported before.');
  if (text[start] === '[') return 'json';
  if (text[start] === '{') return isJsonLines(text, start) ? 'jsonl' : 'json';
  return text.startsWith('# Agent Memory', start) || hasBlock(text) ? 'markdown' : 'yaml';
}

/** A first line that is complete by itself, and either more lines or the head of an export without messages. */
function isJsonLines(text: string, start: number): boolean {
  const lineFeed = text.indexOf('\n', start);
  try {
    const first: unknown = JSON.parse(lineFeed === -1 ? text.slice(start) : text.slice(start, lineFeed));
    return isHead(first) || (lineFeed !== -1 && /\S/.test(text.slice(lineFeed)));
  } catch {
    return false;
  }
}

/** In YAML the lines of a message are indented, so a heading at the margin can only be Markdown. */
function hasBlock(text: string): boolean {
  for (const { escapes } of headingLines(text)) if (escapes === 0) return true;
  return false;
}
