/** Detects the format of a file or folder of another system by its content, and reads it. */
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { isChatGpt, readChatGpt } from './chatgpt.ts';
import { isClaude, readClaude } from './claude.ts';
import {
  FOREIGN_FORMATS,
  type Foreign,
  type ForeignDocument,
  type ForeignFormat,
  NOTHING,
  notThat,
} from './foreign.ts';
import { isLangGraph, readLangGraph } from './langgraph.ts';
import { isLetta, readLetta } from './letta.ts';
import { isMem0, readMem0 } from './mem0.ts';
import { isServerMemory, readServerMemory } from './server-memory.ts';
import { isZep, readZep } from './zep.ts';
import { readZip } from './zip.ts';

/** A text must fit into one string of the engine, with room to work on it. */
const MOST_BYTES = 256 * 1024 * 1024;
const MARKDOWN = ['.md', '.markdown', '.mdx', '.txt'];
const ZIP_START = 'PK\u0003\u0004';
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/;
const LARGEST_DOCUMENT = 4 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array, name: string): string {
  try {
    return decoder.decode(bytes).replace(/^\ufeff/, '');
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', `${name} is not UTF-8 text.`, {
      hint: 'Convert it, or import another file.',
      cause,
    });
  }
}

function unknown(name: string): KeepsakeError {
  return new KeepsakeError('INVALID_INPUT', `${name} is not in a format that Keepsake can import.`, {
    hint: `It reads archives of its own, and what ${FOREIGN_FORMATS.join(', ')} hand out; conversations of other kinds go through "keepsake log import".`,
  });
}

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};

/** What begins as JSON and does not continue as such was cut off, or written by two programs at once. */
function damaged(name: string, lines: readonly string[]): KeepsakeError | undefined {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || !/^\s*[[{]/.test(lines[first]!)) return undefined;
  const bad = lines.findIndex((line) => line.trim() !== '' && parsed(line) === undefined);
  // One object per line has a first line that is whole.
  const where = bad > first ? ` at line ${bad + 1}` : '';
  return new KeepsakeError('CORRUPT', `${name} is damaged${where}: it is not valid JSON.`, {
    hint: `Nothing was imported. Copy or export the file again${where === '' ? '' : ', or correct that line'}.`,
  });
}

/** One JSON document, or one per line; undefined for neither. */
function parse(
  text: string,
  name: string,
): { readonly whole: JsonValue } | { readonly lines: readonly JsonValue[] } | undefined {
  const whole = parsed(text);
  // Some libraries hand an export out as a string, and whoever writes that as JSON wraps it once more.
  if (whole !== undefined) return { whole: typeof whole === 'string' ? (parsed(whole) ?? whole) : whole };
  const lines = text.split('\n');
  const values = lines.filter((line) => line.trim() !== '').map(parsed);
  if (values.length > 0 && !values.includes(undefined)) return { lines: values as JsonValue[] };
  const error = damaged(name, lines);
  if (error !== undefined) throw error;
  return undefined;
}

function readJson(text: string, name: string, wanted: ForeignFormat | undefined): Foreign {
  const found = parse(text, name);
  if (found === undefined) {
    throw wanted === undefined ? unknown(name) : notThat(wanted, `${name} is not valid JSON.`);
  }
  const lines = 'lines' in found ? found.lines : [found.whole];
  const whole = 'whole' in found ? found.whole : [...found.lines];
  switch (wanted ?? detect(whole, lines)) {
    case 'mem0':
      return readMem0(whole);
    case 'server-memory':
      return readServerMemory(lines);
    case 'claude':
      return readClaude(whole);
    case 'chatgpt':
      return readChatGpt(whole);
    case 'zep':
      return readZep(whole);
    case 'letta':
      return readLetta(whole);
    case 'langgraph':
      return readLangGraph(whole);
    default:
      throw unknown(name);
  }
}

function detect(whole: JsonValue, lines: readonly JsonValue[]): ForeignFormat | undefined {
  if (isChatGpt(whole)) return 'chatgpt';
  if (isClaude(whole)) return 'claude';
  if (lines.some(isServerMemory)) return 'server-memory';
  if (isLetta(whole)) return 'letta';
  if (isZep(whole)) return 'zep';
  if (isLangGraph(whole)) return 'langgraph';
  return isMem0(whole) ? 'mem0' : undefined;
}

function refuseLarge(name: string, size: number): void {
  if (size <= MOST_BYTES) return;
  throw new KeepsakeError('TOO_LARGE', `${name} has more than ${MOST_BYTES / 1024 / 1024} MB.`, {
    hint: 'Split it into several files and import one after the other.',
  });
}

async function readZipped(file: string, wanted: ForeignFormat | undefined): Promise<Foreign> {
  const entries = (await readZip(file)).filter(({ name }) => CONVERSATIONS.test(name));
  if (entries.length === 0) {
    throw new KeepsakeError('NOT_FOUND', `There is no conversations.json in ${file}.`, {
      hint: 'Unpack it yourself and import the file or folder inside it.',
    });
  }
  const all: Foreign[] = [];
  for (const { name, size, read } of entries) {
    refuseLarge(name, size);
    all.push(readJson(decode(await read(), name), name, wanted));
  }
  return {
    ...all[0]!,
    conversations: all.flatMap(({ conversations }) => conversations),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** Hidden folders hold settings, not notes. */
async function* markdownBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownBelow(path);
    else if (entry.isFile() && MARKDOWN.includes(extname(entry.name).toLowerCase())) yield path;
  }
}

async function readDocument(path: string, name: string): Promise<ForeignDocument | undefined> {
  const { size } = await stat(path);
  if (size > LARGEST_DOCUMENT) return undefined;
  const text = decode(await readFile(path), name);
  return text.trim() === '' ? undefined : { name, text };
}

/** The transcripts of agents belong into the log, each for its own agent. */
function refuseTranscripts(folder: string, documents: readonly ForeignDocument[]): void {
  if (!documents.some(({ name }) => /^(?:agents\/)?[^/]+\/MEMORY\.md$/.test(name))) return;
  throw new KeepsakeError('INVALID_INPUT', `${folder} holds the transcripts of agents (MEMORY.md).`, {
    hint: `Take them into the log with "keepsake log import ${folder}"; --from markdown imports them as documents all the same.`,
  });
}

async function readFolder(folder: string, isGuessed: boolean): Promise<Foreign> {
  const documents: ForeignDocument[] = [];
  let skipped = 0;
  for await (const path of markdownBelow(folder)) {
    const document = await readDocument(path, relative(folder, path).split(sep).join('/'));
    if (document === undefined) skipped++;
    else documents.push(document);
  }
  if (documents.length === 0) {
    throw new KeepsakeError('NOT_FOUND', `There is no Markdown file in ${folder}.`, {
      hint: `Looked for files that end with ${MARKDOWN.join(', ')}.`,
    });
  }
  if (isGuessed) refuseTranscripts(folder, documents);
  return { ...NOTHING, format: 'markdown', documents, skipped };
}

/** The first bytes of a file, to tell what it is. */
export async function beginningOf(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

export async function readForeign(path: string, wanted?: ForeignFormat): Promise<Foreign> {
  const facts = await stat(path);
  if (facts.isDirectory()) {
    if (wanted !== undefined && wanted !== 'markdown') throw notThat(wanted, `${path} is a folder.`);
    return readFolder(path, wanted === undefined);
  }
  if ((await beginningOf(path)) === ZIP_START) return readZipped(path, wanted);
  refuseLarge(path, facts.size);
  const isDocument = MARKDOWN.includes(extname(path).toLowerCase());
  if (wanted === 'markdown' || (wanted === undefined && isDocument)) {
    const document = await readDocument(path, path.split(sep).at(-1)!);
    const documents = document === undefined ? [] : [document];
    return { ...NOTHING, format: 'markdown', documents, skipped: 1 - documents.length };
  }
  return readJson(decode(await readFile(path), path), path, wanted);
}
