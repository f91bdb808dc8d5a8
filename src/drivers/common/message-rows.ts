/** The rows of the log, which both SQL engines store alike. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { LogMessage } from '../../ports/log-store.ts';
import { storedJson } from './stored-json.ts';

export interface MessageRow {
  readonly seq: number;
  readonly id: string;
  readonly agent: string;
  readonly thread: string;
  readonly run: string | null;
  readonly role: string;
  readonly content: string;
  readonly metadata: string;
  readonly at: number;
  readonly edited_at: number | null;
  readonly deleted_at: number | null;
}

/** Comes after every name that begins with the prefix: what follows it has at most 256 characters. */
export const afterPrefix = (prefix: string): string => prefix + '\u{10ffff}'.repeat(257);

export function toMessage(row: MessageRow): LogMessage {
  const { edited_at: editedAt, deleted_at: deletedAt, content, metadata, ...rest } = row;
  return {
    ...rest,
    content: storedJson<JsonValue>(content),
    metadata: storedJson<JsonObject>(metadata),
    editedAt,
    deletedAt,
  };
}

export function messageOrNull(row: MessageRow | undefined): LogMessage | null {
  return row === undefined ? null : toMessage(row);
}

/** A thread of the log, as it is listed. */
export interface ThreadRow {
  readonly agent: string;
  readonly thread: string;
  readonly messages: number;
  readonly lastAt: number;
}
