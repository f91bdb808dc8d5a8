/** Port: the append-only log of messages. Views of it shrink; it never does. */
import type { JsonObject, JsonValue } from '../kernel/json.ts';

export interface MessageDraft {
  readonly id: string;
  readonly agent: string;
  readonly thread: string;
  readonly run: string | null;
  readonly role: string;
  /** Text, or structured parts exactly as given. */
  readonly content: JsonValue;
  readonly metadata: JsonObject;
  readonly at: number;
}

export interface LogMessage extends MessageDraft {
  /** Grows with every message of the workspace; gaps are allowed, repeats are not. */
  readonly seq: number;
}

export interface LogQuery {
  readonly agent?: string;
  readonly thread?: string;
  readonly run?: string;
  /** Messages with a greater seq, oldest first. */
  readonly after?: number;
  /** Messages with a smaller seq; with `newest`, the last ones before it. */
  readonly before?: number;
  /** The newest messages first found, still returned oldest first. */
  readonly newest?: boolean;
  readonly limit: number;
}

export interface LogStore {
  append(messages: readonly MessageDraft[]): Promise<readonly LogMessage[]>;
  read(query: LogQuery): Promise<readonly LogMessage[]>;
  count(query: Pick<LogQuery, 'agent' | 'thread' | 'run'>): Promise<number>;
}
