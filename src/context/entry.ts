/** Formats one memory for a prompt: date, category, short id and text. */
import { isTainted } from '../guard/index.ts';
import type { MemoryRecord, Origin } from '../kernel/record.ts';

export type Neutralise = (text: string) => string;

/** Enough of the random part to tell memories apart; the whole id would cost more than many a memory. */
const SHORT_ID = 8;

export function shortId(id: string): string {
  return id.slice(-SHORT_ID);
}

/** Text that neither the user nor the agent wrote. */
const UNTRUSTED: readonly Origin[] = ['tool', 'web', 'import'];

/** Also what the guard would refuse today: it may have been stored before the guard knew better, or without one. */
export function isUntrusted({ origin, content }: Pick<MemoryRecord, 'origin' | 'content'>): boolean {
  return UNTRUSTED.includes(origin) || isTainted(content, origin);
}

/** Every character that some reader takes for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** For names, such as that of a cited file: a line of their own would pass for a heading, an entry or another speaker. */
export function inOneLine(text: string, neutralise: Neutralise): string {
  return neutralise(text.trim()).split(LINE_END).join(' ');
}

/** Lines after the first are quoted with a bar, so that none of them can pass for a heading or for another speaker. */
export function quoted(text: string, neutralise: Neutralise): string {
  return neutralise(text.trim()).split(LINE_END).join('\n  | ');
}

export function renderEntry(record: MemoryRecord, neutralise: Neutralise): string {
  const day = new Date(record.validFrom ?? record.updatedAt).toISOString().slice(0, 10);
  const category = inOneLine(record.category, neutralise);
  const doubt = isUntrusted(record) ? ` · unverified, from ${record.origin}` : '';
  return `- [${day} · ${category} · ${shortId(record.id)}${doubt}] ${quoted(record.content, neutralise)}`;
}
