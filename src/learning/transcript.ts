/** What was said in a session, as it is shown to the model that reviews it. */
import { chatText, separateInjected } from '../context/index.ts';
import type { ChatMessage } from '../ports/language-model.ts';

/** Who can have said something that is worth keeping. */
export type Speaker = 'user' | 'assistant' | 'tool';

export interface Said {
  readonly speaker: Speaker;
  readonly text: string;
}

export interface Session {
  readonly said: readonly Said[];
  /** Messages of the user and of the agent. */
  readonly turns: number;
  /** Prompts, rules, and what memory put in: what they say is known already. */
  readonly system: readonly string[];
}

/** Our own blocks are taken out first: what memory said must not be learned from memory again. */
export function readSession(messages: readonly ChatMessage[]): Session {
  const said: Said[] = [];
  const system: string[] = [];
  for (const message of messages) {
    const { own, injected } = separateInjected(chatText(message));
    const text = own.trim();
    system.push(...injected);
    if (text === '') continue;
    if (message.role === 'system') system.push(text);
    else said.push({ speaker: message.role, text });
  }
  return { said, system, turns: said.filter(({ speaker }) => speaker !== 'tool').length };
}

/** Of a tool's answer the beginning says what it is; the rest is seldom worth reading again. */
const MOST_OF_A_TOOL = 1_500;
const MOST_OF_A_TURN = 8_000;

/**
 * The session as text of at most this many characters. Where it is longer, the beginning, which says what it was about,
 * and as much of the end as fits are kept; the middle is left out, and that is said.
 */
export function renderTranscript(said: readonly Said[], characters: number): string {
  const lines = said.map(({ speaker, text }, place) => {
    const most = Math.min(speaker === 'tool' ? MOST_OF_A_TOOL : MOST_OF_A_TURN, characters);
    return `[${place + 1}] ${speaker}: ${clip(text, most)}`;
  });
  const [first, ...rest] = lines;
  if (first === undefined) return '';
  let left = characters - first.length;
  let from = rest.length;
  while (from > 0 && rest[from - 1]!.length + 1 <= left) left -= rest[--from]!.length + 1;
  const gap = from === 0 ? [] : [`(${from} messages are left out here.)`];
  return [first, ...gap, ...rest.slice(from)].join('\n');
}

/** A text of at most this many characters, whole characters only, that says when something is missing. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  // A cut may leave half a character at its end.
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}
