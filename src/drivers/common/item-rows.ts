/** Rows of items as SQLite and Postgres both hold them. */
import { revisionOf } from '../../items/rules/decide-write.ts';
import { namespaceOf } from '../../items/rules/namespace-path.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { Item, ItemCopy, ItemCopyDraft, StoredText } from '../../ports/item-store.ts';
import { storedJson } from './stored-json.ts';

export interface ItemRow {
  readonly seq: number;
  readonly agent: string;
  readonly user_id: string;
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface ItemTextRow {
  readonly seq: number;
  readonly part: number;
  readonly content: string;
  readonly words: string;
  readonly model: string | null;
  readonly vector: Buffer | null;
}

export function toItem(row: ItemRow): Item {
  return {
    agent: row.agent,
    user: row.user_id,
    namespace: namespaceOf(row.namespace),
    key: row.key,
    value: storedJson<JsonValue>(row.value),
    seq: row.seq,
    revision: revisionOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toItemCopy(row: ItemRow, texts: readonly string[]): ItemCopy {
  const { revision: _, ...item } = toItem(row);
  return { ...item, version: row.version, texts };
}

export function toStoredText({ seq, part, content, words, model, vector }: ItemTextRow): StoredText {
  const embedding = model === null || vector === null ? undefined : { model, vector: toVector(vector) };
  return { seq, part, content, words, embedding };
}

/** A copy: the buffer of a driver may begin at any byte. */
const toVector = (bytes: Buffer): Float32Array =>
  new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));

export const vectorBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Whether an item that is stored says the same as a copy of it. */
export const isSameItem = (row: ItemRow, copy: ItemCopyDraft): boolean =>
  row.value === JSON.stringify(copy.value) && row.updated_at === copy.updatedAt;
