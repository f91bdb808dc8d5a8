/** Forgetting reaches copies: takes a memory out of recorded tool results and summaries, and says where others repeat it. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DocumentFile } from '../../documents/index.ts';
import { queryTerms } from '../../kernel/analysis.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { LogMessage, MessageEdit } from '../../ports/log-store.ts';
import { MAX_TRANSCRIPT_BYTES } from '../archives/archive-files.ts';
import type { ConversationParts } from '../conversation-options.ts';
import { parseTranscript, writeBlock } from '../formats/memory-md.ts';
import { contentText, type MessageContent, modelRole } from '../messages/message.ts';
import { ForgottenText } from './forgotten-text.ts';

export interface MemoryText {
  readonly id: string;
  /** What it says, and what it said before. */
  readonly texts: readonly string[];
  /** Whose conversations can hold it. */
  readonly agents: readonly string[];
}

export interface RedactedCopies {
  /** Tool results and summaries that it was taken out of. */
  readonly redacted: number;
  /** Where people or models repeat it in their own messages, which stay as they are. */
  readonly remains: readonly string[];
}

/** The best matches of a search hold all of its words; more would be other memories. */
const MOST_MESSAGES = 200;

/** What Keepsake recorded by itself, not what somebody said. */
const isOurs = (role: string, agent: string): boolean =>
  ['tool', 'system'].includes(modelRole(role, agent)) && role !== agent;

export async function redactCopies(
  { id, texts, agents }: MemoryText,
  partsFor: (agent: string) => ConversationParts,
): Promise<RedactedCopies> {
  const forgotten = [...new Set(texts)].map((text) => new ForgottenText(id, text));
  const words = [...new Set(texts.flatMap((text) => queryTerms(text)))];
  const found = { redacted: 0, remains: [] as string[] };
  for (const agent of agents) {
    const parts = partsFor(agent);
    await inLog(agent, { ...parts, forgotten, words }, found);
    const archived = await readdir(parts.archiveFolder).catch(() => []);
    const files = archived
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(parts.archiveFolder, name));
    for (const file of [parts.memoryFile, ...files])
      await inFile(file, agent, { ...parts, forgotten }, found);
  }
  return found;
}

interface Search extends ConversationParts {
  readonly forgotten: readonly ForgottenText[];
}

interface Found {
  redacted: number;
  remains: string[];
}

async function inLog(agent: string, search: Search & { readonly words: readonly string[] }, found: Found) {
  const { log, clock, forgotten, words } = search;
  const messages = await log.search({ agent, terms: words, limit: MOST_MESSAGES });
  const edits: MessageEdit[] = [];
  for (const message of messages) {
    const before = contentText(message.content as MessageContent);
    if (!forgotten.some((text) => text.isIn(before))) continue;
    const content = redactMessage(message, agent, forgotten);
    const after = contentText(content as MessageContent);
    if (after !== before) edits.push({ id: message.id, at: clock.now(), content, text: after });
    if (forgotten.some((text) => text.isIn(after))) found.remains.push(`message ${message.id} of ${agent}`);
  }
  if (edits.length > 0) await log.edit(edits);
  found.redacted += edits.length;
}

/** Whole messages that are ours; of others only the results of tools in them. */
function redactMessage(
  { role, content }: LogMessage,
  agent: string,
  forgotten: readonly ForgottenText[],
): JsonValue {
  if (isOurs(role, agent)) return redactAll(content, forgotten);
  if (!Array.isArray(content)) return content;
  return content.map((part) => {
    const type = (part as { type?: unknown } | null)?.type;
    return type === 'tool-result' || type === 'tool_result' ? redactAll(part, forgotten) : part;
  });
}

function redactAll(value: JsonValue, forgotten: readonly ForgottenText[]): JsonValue {
  if (typeof value === 'string')
    return forgotten.reduce((text, one) => (one.isIn(text) ? one.takenOut(text) : text), value);
  if (Array.isArray(value)) return value.map((each) => redactAll(each, forgotten));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactAll(each, forgotten)]));
}

async function inFile(path: string, agent: string, search: Search, found: Found): Promise<void> {
  const { root, lock, files, forgotten } = search;
  const place = { path, root, lock, maxBytes: MAX_TRANSCRIPT_BYTES };
  const document = new DocumentFile(files === undefined ? place : { ...place, files });
  const { text: present } = await document.read();
  if (!forgotten.some((text) => text.isIn(present))) return;
  let changed = 0;
  let rest = present;
  await document.update((text) => {
    [rest, changed] = redactTranscript(text, agent, forgotten);
    return rest;
  });
  found.redacted += changed;
  if (forgotten.some((text) => text.isIn(rest))) found.remains.push(relative(root, path));
}

function redactTranscript(
  source: string,
  agent: string,
  forgotten: readonly ForgottenText[],
): [string, number] {
  let [out, at, changed] = ['', 0, 0];
  for (const { role, at: time, text, raw } of parseTranscript(source).blocks) {
    const isCopy = isOurs(role, agent) && forgotten.some((one) => one.isIn(text));
    if (!isCopy) continue;
    const left = redactAll(text, forgotten) as string;
    out += source.slice(at, raw.start) + writeBlock({ role, at: time, text: left });
    at = raw.end;
    changed++;
  }
  return [out + source.slice(at), changed];
}
