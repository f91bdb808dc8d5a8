/** Export and load of conversations: four formats, each of them lossless, none of them trusted. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { CONVERSATION_FORMATS, type ConversationFormat, detectFormat } from './detect.ts';
import { type ImportDefaults, readForeign } from './foreign.ts';
import { encodeJson, parseJson } from './json.ts';
import { encodeJsonLines, parseJsonLines } from './jsonl.ts';
import { decodeMarkdown, encodeMarkdown } from './markdown.ts';
import { budgetFor, copyJson } from './plain.ts';
import { type ConversationSnapshot, checkSnapshot, isSnapshot, readSnapshot } from './snapshot.ts';
import { encodeYaml, parseYaml } from './yaml.ts';

export { CONVERSATION_FORMATS, type ConversationFormat, detectFormat, formatForFile } from './detect.ts';
export type { ImportDefaults } from './foreign.ts';
export type { ConversationSnapshot, StaticContext } from './snapshot.ts';

const BOM = '\ufeff';

const ENCODERS: Readonly<
  Record<ConversationFormat, (snapshot: ConversationSnapshot) => string | Promise<string>>
> = { json: encodeJson, jsonl: encodeJsonLines, yaml: encodeYaml, markdown: encodeMarkdown };

const PARSERS: Readonly<
  Record<Exclude<ConversationFormat, 'markdown'>, (text: string) => unknown | Promise<unknown>>
> = { json: parseJson, jsonl: parseJsonLines, yaml: parseYaml };

export async function encodeConversation(
  snapshot: ConversationSnapshot,
  format: ConversationFormat,
): Promise<string> {
  return ENCODERS[checkFormat(format)](checkSnapshot(snapshot));
}

/**
 * Reads our own exports, a MEMORY.md, and the exports of other systems; `defaults` say what those leave out. Without a
 * format, the content decides.
 */
export async function decodeConversation(
  text: string,
  format?: ConversationFormat,
  defaults: ImportDefaults = {},
): Promise<ConversationSnapshot> {
  const body = text.startsWith(BOM) ? text.slice(BOM.length) : text;
  const chosen = format === undefined ? detectFormat(body) : checkFormat(format);
  if (chosen === 'markdown') return decodeMarkdown(body, defaults);
  const value = copyJson(await PARSERS[chosen](body), '', budgetFor(body));
  return isSnapshot(value) ? readSnapshot(value) : readForeign(value, defaults);
}

function checkFormat(format: ConversationFormat): ConversationFormat {
  if (CONVERSATION_FORMATS.includes(format)) return format;
  throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(format)} is not a format of conversations.`, {
    hint: `Choose one of ${CONVERSATION_FORMATS.join(', ')}.`,
  });
}
