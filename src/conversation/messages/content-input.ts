/** Copies what callers pass as content into plain JSON, which they cannot change later and every store can keep. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { MessageDraft } from '../../ports/log-store.ts';
import { copyJson, isObject } from '../formats/plain.ts';
import { invalid } from '../formats/problem.ts';
import { readContent } from '../formats/snapshot.ts';
import { MAX_MESSAGE_CHARACTERS } from '../inputs.ts';
import type { MessageContent } from './message.ts';

const HINT = 'Give text, or a list of parts such as { type: "text", text: "…" }.';

export function contentInput(content: unknown): MessageContent {
  if (typeof content === 'string') return content.toWellFormed();
  if (!Array.isArray(content)) throw invalid('content', 'must be text or a list of parts', HINT);
  return readContent(wellFormed(copyJson(content, 'content')), 'content');
}

/** What is new is as long as every surface allows; only what a model answered is kept at any length. */
export function checkLength({ text: { length } }: Pick<MessageDraft, 'text'>): void {
  if (length <= MAX_MESSAGE_CHARACTERS) return;
  throw new KeepsakeError(
    'TOO_LARGE',
    `A message has at most ${MAX_MESSAGE_CHARACTERS} characters, and this one has ${length}.`,
    { hint: 'Shorten it, or split it into several.' },
  );
}

export function metadataInput(metadata: unknown): JsonObject {
  const copy = wellFormed(copyJson(metadata ?? {}, 'metadata'));
  if (isObject(copy)) return copy;
  throw invalid('metadata', 'must be an object', 'Give an object, for example { source: "import" }.');
}

/** Half of a character can be written neither to a file nor to a database. */
function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  const entries = Object.entries(value).map(([key, entry]) => [key.toWellFormed(), wellFormed(entry)]);
  return Object.fromEntries(entries) as JsonObject;
}
