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
  /** What a person would read, for searching. */
  readonly text: string;
}

export interface LogMessage extends Omit<MessageDraft, 'text'> {
  /** Grows with every message of the workspace; gaps are allowed, repeats are not. */
  readonly seq: number;
  readonly editedAt: number | null;
  /** The content of a deleted message is gone; its place in the log is not. */
  readonly deletedAt: number | null;
}

export interface ThreadQuery {
  readonly agent?: string;
  readonly thread?: string;
  readonly run?: string;
  /** Threads whose names begin with this. */
  readonly prefix?: string;
}

export interface LogQuery extends ThreadQuery {
  /** Messages with a greater seq. */
  readonly after?: number;
  /** Messages with a smaller seq. */
  readonly before?: number;
  /** The newest instead of the oldest that fit; returned oldest first all the same. */
  readonly newest?: boolean;
  readonly includeDeleted?: boolean;
  readonly limit: number;
}

export interface LogTextQuery extends ThreadQuery {
  /** Terms as `analyze` makes them; any of them may match. */
  readonly terms: readonly string[];
  readonly before?: number;
  /** A thread that is not searched. */
  readonly except?: string;
  readonly limit: number;
}

/** Changes that become durable together with appended messages. */
export interface AppendNotes {
  readonly journal?: { readonly key: string; readonly entry: JsonObject | null };
  readonly boundary?: { readonly agent: string; readonly thread: string; readonly seq: number };
}

export interface MessageEdit {
  readonly id: string;
  readonly at: number;
  /** Null deletes. */
  readonly content: JsonValue;
  readonly text: string;
}

export interface LogStore {
  /** A message whose id is there already is left as it is. */
  append(messages: readonly MessageDraft[], notes?: AppendNotes): Promise<readonly LogMessage[]>;
  /** Takes back messages whose file could not be written, as if they had never been added. */
  retract(ids: readonly string[], notes?: AppendNotes): Promise<void>;
  edit(edits: readonly MessageEdit[]): Promise<void>;
  read(query: LogQuery): Promise<readonly LogMessage[]>;
  get(id: string): Promise<LogMessage | null>;
  /** Best first. */
  search(query: LogTextQuery): Promise<readonly LogMessage[]>;
  count(query: ThreadQuery): Promise<number>;
  /** The view of a thread begins after this seq; 0 when nothing was compacted. */
  boundary(agent: string, thread: string): Promise<number>;
  journal(key: string): Promise<JsonObject | null>;
  /** Those that have messages, by agent and name. */
  threads(
    query?: Pick<ThreadQuery, 'agent' | 'prefix'>,
  ): Promise<readonly { agent: string; thread: string; messages: number; lastAt: number }[]>;
}
