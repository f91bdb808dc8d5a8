/** The columns of the records table, which both SQL engines name alike, and the record that they make up. */
import type { JsonObject } from '../../kernel/json.ts';
import type { Change, ExpiryReason } from '../../kernel/record.ts';
import type { StoredRecord } from '../../ports/record-store.ts';
import { WEAKEST_FIRST } from '../../records/rules/decide-prune.ts';
import type { KeptVersion, Snapshot } from '../../records/rules/stored-records.ts';
import { storedJson } from './stored-json.ts';

/** Columns that have the names and the values of the record. */
type LikeRecord = Pick<
  StoredRecord,
  | 'id'
  | 'agent'
  | 'scope'
  | 'source'
  | 'category'
  | 'confidence'
  | 'content'
  | 'origin'
  | 'thread'
  | 'supersedes'
  | 'version'
  | 'change'
>;

/** Those that both engines store alike; tags and flags each stores in its own way. */
export interface RecordColumns extends LikeRecord {
  readonly rid: number;
  /** Empty for a record that is about nobody in particular. */
  readonly user_id: string;
  /** JSON. */
  readonly metadata: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly valid_from: number | null;
  readonly expires_at: number | null;
  readonly expiry_reason: ExpiryReason | null;
  readonly superseded_by: string | null;
  readonly forgotten_at: number | null;
  readonly changed_by: string;
  readonly access_count: number;
  readonly accessed_at: number | null;
  readonly injected_count: number;
}

/** Every column but the digest, which nobody outside of the driver needs; the table is called `r`. */
export const RECORD_COLUMN_LIST = `r.rid, r.id, r.agent, r.user_id, r.scope, r.source, r.category, r.confidence, r.content, r.tags,
  r.metadata, r.origin, r.pinned, r.thread, r.created_at, r.updated_at, r.valid_from, r.expires_at, r.expiry_reason,
  r.supersedes, r.superseded_by, r.forgotten_at, r.version, r.change, r.changed_by, r.access_count, r.accessed_at,
  r.injected_count, r.counted`;

const PRUNING_COLUMNS = { source: 'source', confidence: 'confidence', updatedAt: 'updated_at' } as const;

/** The order in which facts leave when there are too many. */
export const WEAKEST_FIRST_COLUMNS = [...WEAKEST_FIRST.map((field) => PRUNING_COLUMNS[field]), 'rid'].join(
  ', ',
);

/** Records without a thread are neighbours if so few row numbers lie between them, whoever stored those: a bound on what is read. */
export const UNTHREADED_REACH = 50;

/** Empty represents no user: an index finds it like any other, and no user has an empty id. */
export const userColumn = (user: string | null): string => user ?? '';
export const userOf = (column: string): string | null => (column === '' ? null : column);

/** A record with the number of its row. */
export type StoredRow = StoredRecord & { readonly rid: number };

export function storedRow(
  row: RecordColumns,
  { tags, pinned, counted }: Pick<StoredRecord, 'tags' | 'pinned' | 'counted'>,
): StoredRow {
  return {
    rid: row.rid,
    id: row.id,
    agent: row.agent,
    user: userOf(row.user_id),
    scope: row.scope,
    source: row.source,
    category: row.category,
    confidence: row.confidence,
    content: row.content,
    tags,
    metadata: storedJson<JsonObject>(row.metadata),
    origin: row.origin,
    pinned,
    thread: row.thread,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    expiresAt: row.expires_at,
    expiryReason: row.expiry_reason,
    supersedes: row.supersedes,
    supersededBy: row.superseded_by,
    forgottenAt: row.forgotten_at,
    version: row.version,
    change: row.change,
    changedBy: row.changed_by,
    accessCount: row.access_count,
    lastAccessedAt: row.accessed_at,
    injectedCount: row.injected_count,
    counted,
  };
}

/** A row of `record_versions`. */
export interface VersionRow {
  readonly version: number;
  readonly change: Change;
  readonly changed_at: number;
  readonly changed_by: string;
  /** JSON. */
  readonly snapshot: string;
}

export function keptVersion({ version, change, changed_at, changed_by, snapshot }: VersionRow): KeptVersion {
  return {
    ...{ version, change, changedAt: changed_at, changedBy: changed_by },
    snapshot: storedJson<Snapshot>(snapshot),
  };
}
