/** Imported data of other systems in our types: facts, conversations and documents. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

export const FOREIGN_FORMATS = [
  'mem0',
  'server-memory',
  'claude',
  'chatgpt',
  'zep',
  'letta',
  'langgraph',
  'markdown',
] as const;
export type ForeignFormat = (typeof FOREIGN_FORMATS)[number];

export interface ForeignFact {
  readonly content: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
  /** Since when it holds, if the source says so. */
  readonly since?: number | undefined;
}

export interface ForeignMessage {
  readonly id: string;
  readonly role: 'User' | 'assistant' | 'System' | 'Tool';
  readonly text: string;
  readonly at: number;
}

export interface ForeignConversation {
  readonly id: string;
  readonly title: string;
  readonly messages: readonly ForeignMessage[];
}

export interface ForeignDocument {
  /** Its path below the folder that was imported. */
  readonly name: string;
  readonly text: string;
}

export interface Foreign {
  readonly format: ForeignFormat;
  readonly facts: readonly ForeignFact[];
  readonly conversations: readonly ForeignConversation[];
  readonly documents: readonly ForeignDocument[];
  /** What holds nothing to remember: empty texts, pictures, folded branches. */
  readonly skipped: number;
}

export const NOTHING = { facts: [], conversations: [], documents: [], skipped: 0 } as const;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** ISO 8601, seconds or milliseconds; undefined for anything else. */
export function timeOf(value: JsonValue | undefined): number | undefined {
  const at =
    typeof value === 'number'
      ? Math.round(value < 1e11 ? value * 1000 : value)
      : typeof value === 'string'
        ? Date.parse(value)
        : Number.NaN;
  return Number.isSafeInteger(at) && at >= 0 ? at : undefined;
}

/** A label of ours has no control characters and is short. */
export function labelOf(value: unknown): string | undefined {
  const label = textOf(value)
    ?.replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return label === undefined || label === '' ? undefined : label.slice(0, 128);
}

export function notThat(format: ForeignFormat, what: string): KeepsakeError {
  return new KeepsakeError('INVALID_INPUT', `This is not an export of ${format}: ${what}`, {
    hint: `Leave --from out to let the content decide, or choose another of ${FOREIGN_FORMATS.join(', ')}.`,
  });
}
