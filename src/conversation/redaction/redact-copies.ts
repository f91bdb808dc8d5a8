/** Removes a forgotten memory from recorded tool results and summaries, and lists other places that contain it. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DocumentFile } from '../../documents/index.ts';
import { queryTerms } from '../../kernel/analysis.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { Viewer } from '../../kernel/scope.ts';
import { placeOfKey } from '../../kernel/threads.ts';
import type { LogMessage, MessageEdit } from '../../ports/log-store.ts';
import { MAX_TRANSCRIPT_BYTES } from '../archives/archive-files.ts';
import type { ConversationParts } from '../conversation-options.ts';
import { parseTranscript, writeBlock } from '../formats/memory-md.ts';
import { contentText, type MessageContent, modelRole } from '../messages/message.ts';
import { ForgottenText } from './forgotten-text.ts';

/** What has to be known of a memory to find copies of it. */
export interface ForgottenMemoryText {
  readonly id: string;
  /** What it says, and what it said before. */
  readonly texts: readonly string[];
  /** Its categories and tags, as far as they are free text. */
  readonly labels: readonly string[];
}

export interface RedactedCopies {
  /** Tool results and summaries that it was taken out of. */
  redacted: number;
  /** Where people or models repeat it in their own messages, which stay as they are. */
  remains: string[];
}

/** The best matches of a search hold all of its words; more would be other memories. */
const MOST_MESSAGES = 200;

/** What Keepsake recorded by itself, not what somebody said. */
const isOurs = (role: string, agent: string): boolean =>
  ['tool', 'system'].includes(modelRole(role, agent)) && role !== agent;

/**
 * The texts to look for in what belongs to an agent. Outside of what the viewer may read, a text counts only with the id of
 * the memory: else somebody could add a guess and forget it, and so erase what others recorded.
 */
export function forgottenTexts(
  { id, texts, labels }: ForgottenMemoryText,
  viewer: Viewer,
  agent?: string,
): ForgottenText[] {
  const onlyNamed = viewer.role !== 'admin' && (agent === undefined || agent !== viewer.agent);
  return [...new Set(texts)].map((text) => new ForgottenText(id, text, { labels, onlyNamed }));
}

/** One answer for each memory, in their order. */
export async function redactCopies(
  memories: readonly ForgottenMemoryText[],
  { agents, viewer }: { readonly agents: readonly string[]; readonly viewer: Viewer },
  partsFor: (agent: string) => ConversationParts,
): Promise<RedactedCopies[]> {
  const all = memories.map((): RedactedCopies => ({ redacted: 0, remains: [] }));
  for (const agent of agents) {
    const parts = partsFor(agent);
    const archived = await readdir(parts.archiveFolder).catch(() => []);
    const files = archived
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(parts.archiveFolder, name));
    const searches = memories.map((memory) => ({
      ...{ ...parts, viewer, words: [...new Set(memory.texts.flatMap((text) => queryTerms(text)))] },
      forgotten: forgottenTexts(memory, viewer, agent),
    }));
    for (const [i, search] of searches.entries()) await inLog(agent, search, all[i]!);
    for (const file of [parts.memoryFile, ...files]) await inFile(file, agent, searches, all);
  }
  return all;
}

/** Only places are named that the viewer may read: whether others repeat a text is nobody else's business. */
function mayRead({ role, agent: own, user }: Viewer, agent: string, thread: string): boolean {
  if (role === 'admin') return true;
  if (own !== undefined && own !== agent) return false;
  return placeOfKey(agent, thread)?.user === (user ?? null) && (own !== undefined || user !== undefined);
}

interface Search extends ConversationParts {
  readonly viewer: Viewer;
  readonly forgotten: readonly ForgottenText[];
  readonly words: readonly string[];
}

async function inLog(agent: string, search: Search, found: RedactedCopies): Promise<void> {
  const { log, clock, forgotten, words, viewer } = search;
  const messages = await log.search({ agent, terms: words, limit: MOST_MESSAGES });
  const edits: MessageEdit[] = [];
  for (const message of messages) {
    const before = contentText(message.content as MessageContent);
    if (!forgotten.some((text) => text.isIn(before))) continue;
    const content = redactMessage(message, agent, forgotten);
    const after = contentText(content as MessageContent);
    if (after !== before) edits.push({ id: message.id, at: clock.now(), content, text: after });
    const stays = forgotten.some((text) => text.isIn(after)) && mayRead(viewer, agent, message.thread);
    if (stays) found.remains.push(`message ${message.id} of ${agent}`);
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

/** The value with the forgotten texts taken out of every string in it. */
export function redactAll(value: JsonValue, forgotten: readonly ForgottenText[]): JsonValue {
  if (typeof value === 'string')
    return forgotten.reduce((text, one) => (one.isIn(text) ? one.takenOut(text) : text), value);
  if (Array.isArray(value)) return value.map((each) => redactAll(each, forgotten));
  if (typeof value !== 'object' || value === null) return value;
  const named = forgotten.filter(({ id }) => value.id === id);
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    key === 'id' || named.length === 0 ? redactAll(each, forgotten) : redactFields(each, named),
  ]);
  return Object.fromEntries(entries);
}

function redactFields(value: JsonValue, named: readonly ForgottenText[]): JsonValue {
  if (typeof value === 'string') return named.reduce((text, one) => one.takenOutOfField(text), value);
  if (Array.isArray(value)) return value.map((each) => redactFields(each, named));
  return redactAll(value, named);
}

async function inFile(
  path: string,
  agent: string,
  searches: readonly Search[],
  all: readonly RedactedCopies[],
): Promise<void> {
  const { root, lock, files, viewer } = searches[0]!;
  const place = { path, root, lock, maxBytes: MAX_TRANSCRIPT_BYTES };
  const document = new DocumentFile(files === undefined ? place : { ...place, files });
  const { text: present } = await document.read();
  const isIn = (text: string) => (search: Search) => search.forgotten.some((one) => one.isIn(text));
  if (!searches.some(isIn(present))) return;
  let [rest, changes] = [present, [] as number[]];
  await document.update((text) => {
    [rest, changes] = [text, searches.map(() => 0)];
    for (const [i, { forgotten }] of searches.entries())
      [rest, changes[i]] = redactTranscript(rest, agent, forgotten);
    return rest;
  });
  for (const [i, found] of all.entries()) {
    found.redacted += changes[i] ?? 0;
    const stays = isIn(rest)(searches[i]!) && mayRead(viewer, agent, agent);
    if (stays) found.remains.push(relative(root, path).replaceAll('\\', '/'));
  }
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
