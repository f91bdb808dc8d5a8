/**
 * The format of MEMORY.md: a header, then one block per message, delimited by heading lines only; whatever stands
 * between two headings belongs to the first, so that nothing in the file is ever without an owner.
 */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import {
  escapeHeadings,
  type HeadingLine,
  headingLines,
  isOneLine,
  unescapeHeadings,
  writeHeading,
} from './heading.ts';
import { checkTime, parseTime, toSeconds } from './timestamps.ts';

const BOM = '\ufeff';
const SEPARATOR = '\n\n---\n\n';
const TITLE = '# Agent Memory';
const LOG = '## Interaction Log';
const CONVERSATION = '**Conversation:** ';
const CREATED = '**Created:** ';

export interface Block {
  readonly role: string;
  /** Milliseconds since the epoch; the file keeps whole seconds. */
  readonly at: number;
  readonly text: string;
}

/** A half-open range of UTF-16 code units of the source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ParsedBlock extends Block {
  readonly raw: Span;
}

export interface TranscriptHeader {
  /** Everything before the first block, byte for byte. */
  readonly raw: string;
  /** `<agent>_id_<uuid>_conversation`, and the two names in it. */
  readonly conversation?: string;
  readonly agent?: string;
  readonly conversationId?: string;
  readonly created?: number;
}

export interface Transcript {
  readonly source: string;
  readonly header: TranscriptHeader;
  /** What a person wrote before the first block, without the lines of the header itself. */
  readonly preamble: string;
  readonly blocks: readonly ParsedBlock[];
}

export interface TranscriptTail {
  readonly source: string;
  /** The beginning that belongs to a block whose heading was cut off. */
  readonly dropped: Span;
  readonly blocks: readonly ParsedBlock[];
}

export interface HeaderFields {
  readonly agent: string;
  readonly conversationId: string;
  readonly createdAt: number;
}

export function writeHeader({ agent, conversationId, createdAt }: HeaderFields): string {
  const conversation = `${agent}_id_${conversationId}_conversation`;
  if (!isOneLine(conversation)) {
    throw new KeepsakeError('INVALID_INPUT', 'The names in the header of a transcript must be one line.', {
      hint: 'Choose an agent name and a conversation id without line breaks.',
    });
  }
  const created = toSeconds(checkTime(createdAt, 'createdAt'));
  return `${TITLE}\n\n${CONVERSATION}${conversation}\n${CREATED}${created}\n\n---\n\n${LOG}\n\n`;
}

export function writeBlock({ role, at, text }: Block): string {
  return `${writeHeading(role, checkTime(at, 'at'))}${escapeHeadings(text)}${SEPARATOR}`;
}

/** What to write between the end of a file and the next block: a heading counts only at the start of a line. */
export function gapBefore(end: string): '' | '\n' {
  return end === '' || end === BOM || end.endsWith('\n') ? '' : '\n';
}

export function parseTranscript(source: string): Transcript {
  const blocks = parseBlocks(source, source.startsWith(BOM) ? BOM.length : 0);
  const raw = source.slice(0, blocks[0]?.raw.start ?? source.length);
  return { source, ...parseHeader(raw), blocks };
}

/** Reads the end of a file that was cut anywhere. Its first line may be half a line, so it opens no block. */
export function parseTail(source: string): TranscriptTail {
  const lineFeed = source.indexOf('\n');
  const blocks = lineFeed === -1 ? [] : parseBlocks(source, lineFeed + 1);
  return { source, dropped: { start: 0, end: blocks[0]?.raw.start ?? source.length }, blocks };
}

/** Parsed blocks go back as they stood, byte for byte; new ones are written. */
export function unparse(transcript: {
  readonly source: string;
  readonly header: Pick<TranscriptHeader, 'raw'>;
  readonly blocks: readonly (ParsedBlock | Block)[];
}): string {
  let out = transcript.header.raw;
  let end = out;
  for (const block of transcript.blocks) {
    const piece =
      'raw' in block ? transcript.source.slice(block.raw.start, block.raw.end) : writeBlock(block);
    out += gapBefore(end) + piece;
    end = piece;
  }
  return out;
}

function parseBlocks(source: string, from: number): ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  let open: HeadingLine | undefined;
  const close = (end: number): void => {
    if (open === undefined) return;
    const text = readBody(source.slice(open.next, end), open.dash);
    blocks.push({ role: open.role, at: open.at, text, raw: { start: open.start, end } });
  };
  for (const line of headingLines(source, from)) {
    if (line.escapes > 0) continue;
    close(line.start);
    open = line;
  }
  close(source.length);
  return blocks;
}

function readBody(body: string, dash: string): string {
  const text = withoutSeparator(body);
  if (dash === '-') return unescapeHeadings(text);
  // The original system leaves a blank line below its headings and escapes nothing.
  return text.startsWith('\r\n') ? text.slice(2) : text.startsWith('\n') ? text.slice(1) : text;
}

/**
 * Our own separator is cut off exactly, so that any content comes back as it was. Only a body that cannot be ours is
 * read with tolerance: CRLF, blanks added or lost around the rule, no rule at all.
 */
function withoutSeparator(body: string): string {
  if (body.endsWith(SEPARATOR)) return body.slice(0, -SEPARATOR.length);
  let end = body.length;
  while (end > 0 && ' \t\r\n'.includes(body[end - 1]!)) end--;
  const rule = end - 3;
  const isRule = body.endsWith('---', end) && (rule === 0 || body[rule - 1] === '\n');
  if (!isRule) return withoutLineEnd(body);
  return withoutLineEnd(withoutLineEnd(body.slice(0, rule)));
}

function withoutLineEnd(text: string): string {
  if (text.endsWith('\r\n')) return text.slice(0, -2);
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** The first line of each kind is the header's; every other line was written by somebody and is kept for reading. */
function parseHeader(raw: string): { header: TranscriptHeader; preamble: string } {
  const found = new Map<string, string>();
  const kept: string[] = [];
  let inHeader = true;
  for (const line of raw.slice(raw.startsWith(BOM) ? BOM.length : 0).split('\n')) {
    const kind = inHeader ? headerKind(line.trimEnd()) : undefined;
    if (kind === undefined || found.has(kind) || (kind !== TITLE && !found.has(TITLE))) {
      kept.push(line);
    } else {
      found.set(kind, line.trimEnd().slice(kind.length));
      if (kind === LOG) inHeader = false;
    }
  }
  const conversation = found.get(CONVERSATION);
  const created = parseTime(found.get(CREATED) ?? '');
  return {
    header: {
      raw,
      ...(conversation === undefined ? {} : { conversation, ...namesIn(conversation) }),
      ...defined({ created }),
    },
    preamble: kept.join('\n').trim(),
  };
}

/** An agent's name may itself contain `_id_`; a conversation's id does not. */
function namesIn(conversation: string): Pick<TranscriptHeader, 'agent' | 'conversationId'> {
  const middle = conversation.lastIndexOf('_id_');
  if (middle === -1 || !conversation.endsWith('_conversation') || !isOneLine(conversation)) return {};
  const agent = conversation.slice(0, middle);
  const conversationId = conversation.slice(middle + '_id_'.length, -'_conversation'.length);
  return agent === '' || conversationId === '' ? {} : { agent, conversationId };
}

function headerKind(line: string): string | undefined {
  if (line === TITLE || line === LOG || line === '---') return line;
  return [CONVERSATION, CREATED].find((label) => line.startsWith(label));
}
