/** The author prior: questions about oneself prefer statements of the user to those of an assistant. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { speakerOf } from './lines.ts';

const USERS = new Set(['user', 'human', 'customer', 'me']);
const ASSISTANTS = new Set(['assistant', 'ai', 'model', 'bot', 'agent', 'system']);

export type Author = 'user' | 'assistant' | undefined;

/** By `metadata.role`, or by the name that a line begins with ("user: …"). */
export function authorOf({ metadata, content }: Pick<MemoryRecord, 'metadata' | 'content'>): Author {
  const { role } = metadata;
  const name = typeof role === 'string' ? role.toLowerCase() : speakerOf(content);
  if (name === undefined) return undefined;
  if (USERS.has(name)) return 'user';
  return ASSISTANTS.has(name) ? 'assistant' : undefined;
}

/** "I" is a capital letter; "us" in capitals is a country. */
const FIRST_PERSON = /\bI(?:['’]\w+)?\b|\b(?:[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|us)\b/;
/** Who asks what the other one said wants that, and no word of his own. */
const ASKS_ASSISTANT =
  /\byou(?:r|['’]\w+)?\b|\bremind\b|\b(?:previous|last|earlier) (?:chat|conversation|discussion)/i;
/** More of a question is not looked through. */
const MOST_CHARACTERS = 1_000;

/** Whether a question is about the one who asks it. */
export function isAboutOneself(query: string): boolean {
  const text = query.slice(0, MOST_CHARACTERS);
  return FIRST_PERSON.test(text) && !ASKS_ASSISTANT.test(text);
}
