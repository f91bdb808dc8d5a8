/**
 * Conversations as Markdown that looks like MEMORY.md and loses nothing: a comment in the header marks the file as an
 * export, and in an export the first line of each block is a comment with what the heading cannot say. Only that line
 * is read as one, so that content which imitates it stays content.
 */
import type { JsonObject } from '../../kernel/json.ts';
import { DEFAULT_AGENT_NAME } from '../../kernel/names.ts';
import { type ConversationMessage, contentText } from '../messages/message.ts';
import type { ImportDefaults } from './foreign.ts';
import { isHeadingRole } from './heading.ts';
import { escapeRareBreaks } from './json.ts';
import { type ParsedBlock, parseTranscript, type Transcript, writeBlock, writeHeader } from './memory-md.ts';
import { copyJson, isObject } from './plain.ts';
import { invalid } from './problem.ts';
import { type ConversationSnapshot, plainHead, plainMessage, readContent, readSnapshot } from './snapshot.ts';
import { type StableIds, stableIds, stableUuid } from './stable-ids.ts';
import { parseTime, toIso, toSeconds } from './timestamps.ts';

const OPEN = '<!-- keepsake ';
const CLOSE = ' -->';

export function encodeMarkdown(snapshot: ConversationSnapshot): string {
  const blocks = snapshot.messages.map((message) =>
    writeBlock({
      role: headingRole(message.role),
      at: message.at,
      text: `${comment(envelopeOf(message))}\n${visibleText(message.content)}`,
    }),
  );
  return `${writeHeader(snapshot)}${comment(plainHead(snapshot))}\n\n${blocks.join('')}`;
}

/** Reads an export, or a MEMORY.md as it is. */
export function decodeMarkdown(text: string, defaults: ImportDefaults = {}): ConversationSnapshot {
  const transcript = parseTranscript(text);
  const lines = transcript.preamble.split('\n');
  const index = lines.findIndex(isComment);
  if (index === -1) return readTranscript(transcript, defaults);
  const head = readComment(lines[index]!, 'header');
  const notes = [...lines.slice(0, index), ...lines.slice(index + 1)].join('\n').trim();
  const stableId = stableIds(String(head.conversationId));
  const createdAt = parseTime(String(head.createdAt)) ?? 0;
  const messages = transcript.blocks.map((block, position) => readBlock(block, position, stableId));
  return readSnapshot({ ...head, messages: [...noteOf(notes, createdAt, stableId), ...messages] });
}

/** The heading says role and second, the text says the content; the comment says the rest of it. */
function envelopeOf(message: ConversationMessage): JsonObject {
  const { role, content, ...rest } = plainMessage(message);
  return {
    ...rest,
    ...(headingRole(message.role) === role ? {} : { role: message.role }),
    ...(visibleText(message.content) === content ? {} : { content: message.content }),
  };
}

/** Half a surrogate pair cannot be written to a file, so it is shown as the replacement character. */
function visibleText(content: ConversationMessage['content']): string {
  return contentText(content).toWellFormed();
}

function headingRole(role: string): string {
  if (isHeadingRole(role) && role.isWellFormed()) return role;
  return (
    role
      .toWellFormed()
      .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
      .trim() || 'Unknown'
  );
}

function comment(value: JsonObject): string {
  const json = escapeRareBreaks(JSON.stringify(value));
  return `${OPEN}${json.replace(/[<>]|-(?=-)/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`)}${CLOSE}`;
}

function isComment(line: string): boolean {
  return line.startsWith(OPEN) && line.trimEnd().endsWith(CLOSE);
}

function readComment(line: string, path: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line.trimEnd().slice(OPEN.length, -CLOSE.length));
  } catch {
    throw invalid(path, 'has a comment that is not valid JSON');
  }
  const value = copyJson(parsed, path);
  if (!isObject(value)) throw invalid(path, 'has a comment that is not an object');
  return value;
}

/** Where a person has changed what the heading or the text says, the person's words win over the comment. */
function readBlock(block: ParsedBlock, position: number, stableId: StableIds): JsonObject {
  const lineFeed = block.text.indexOf('\n');
  const first = lineFeed === -1 ? block.text : block.text.slice(0, lineFeed);
  if (!isComment(first)) return freshMessage(block, stableId);
  const path = `messages[${position}]`;
  const { role, content, ...rest } = readComment(first, path);
  const below = lineFeed === -1 ? '' : block.text.slice(lineFeed + 1);
  // We end the comment with LF: where CRLF stands, a tool has changed the line endings of the whole file.
  const text = first.endsWith('\r') ? below.replaceAll('\r\n', '\n') : below;
  const at = parseTime(String(rest.timestamp));
  return {
    ...rest,
    role: typeof role === 'string' && headingRole(role) === block.role ? role : block.role,
    timestamp: toIso(at !== undefined && toSeconds(at) === toSeconds(block.at) ? at : block.at),
    content:
      content !== undefined && visibleText(readContent(content, `${path}.content`)) === text ? content : text,
  };
}

function freshMessage({ role, at, text }: ParsedBlock, stableId: StableIds): JsonObject {
  return { id: stableId(at, `${role}\n${text}`), role, timestamp: toIso(at), content: text };
}

/** Text before the first block was written by a person: it is kept as what that person said. */
function noteOf(text: string, at: number, stableId: StableIds): JsonObject[] {
  if (text === '') return [];
  const id = stableId(at, `preamble\n${text}`);
  return [{ id, role: 'User', timestamp: toIso(at), content: text, metadata: { preamble: true } }];
}

function readTranscript(
  { source, header, preamble, blocks }: Transcript,
  defaults: ImportDefaults,
): ConversationSnapshot {
  if (blocks.length === 0 && header.conversation === undefined) {
    throw invalid(
      '',
      'holds no message',
      'A message begins with a line like "### User - 2026-01-31T12:00:00".',
    );
  }
  const conversationId =
    defaults.conversationId ?? header.conversationId ?? stableUuid(header.conversation ?? source);
  const stableId = stableIds(conversationId);
  const createdAt = header.created ?? blocks[0]?.at ?? defaults.at ?? 0;
  const messages = blocks.map((block) => freshMessage(block, stableId));
  return readSnapshot({
    version: 1,
    agent: header.agent ?? defaults.agent ?? DEFAULT_AGENT_NAME,
    conversationId,
    createdAt,
    messages: [...noteOf(preamble, createdAt, stableId), ...messages],
  });
}
