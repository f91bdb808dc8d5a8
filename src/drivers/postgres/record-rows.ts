/** Rows of the records table and what they mean. */
import type { JsonObject } from '../../kernel/json.ts';
import {
  type Change,
  type ExpiryReason,
  type MemoryRecord,
  type Origin,
  type Source,
  stateAt,
} from '../../kernel/record.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Snapshot } from '../common/new-record.ts';
import { raw } from './sql.ts';

export interface RecordRow {
  readonly rid: number;
  readonly id: string;
  readonly agent: string;
  readonly scope: Scope;
  readonly source: Source;
  readonly category: string;
  readonly confidence: number;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: string;
  readonly origin: Origin;
  readonly pinned: boolean;
  readonly thread: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly valid_from: number | null;
  readonly expires_at: number | null;
  readonly expiry_reason: ExpiryReason | null;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly forgotten_at: number | null;
  readonly version: number;
  readonly change: Change;
  readonly changed_by: string;
  readonly access_count: number;
  readonly accessed_at: number | null;
  readonly injected_count: number;
  readonly counted: boolean;
}

/** Every column but the hash, which nobody outside of the driver needs. */
export const RECORD_COLUMNS =
  raw(`r.rid, r.id, r.agent, r.scope, r.source, r.category, r.confidence, r.content, r.tags,
  r.metadata, r.origin, r.pinned, r.thread, r.created_at, r.updated_at, r.valid_from, r.expires_at, r.expiry_reason,
  r.supersedes, r.superseded_by, r.forgotten_at, r.version, r.change, r.changed_by, r.access_count, r.accessed_at,
  r.injected_count, r.counted`);

export function toRecord(row: RecordRow, now: number): MemoryRecord {
  const state = stateAt(now, { expiresAt: row.expires_at, forgottenAt: row.forgotten_at });
  const { id, agent, source, origin, thread, supersedes, version } = row;
  return {
    ...{ id, agent, source, origin, thread, state, supersedes, version },
    ...toSnapshot(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    expiryReason: state === 'expired' ? (row.expiry_reason ?? 'ttl') : null,
    supersededBy: row.superseded_by,
    forgottenAt: row.forgotten_at,
    accessCount: row.access_count,
    lastAccessedAt: row.accessed_at,
    injectedCount: row.injected_count,
  };
}

export function toSnapshot(row: RecordRow): Snapshot {
  const { content, category, confidence, scope, tags, pinned } = row;
  const metadata = JSON.parse(row.metadata) as JsonObject;
  return { content, category, confidence, scope, tags, metadata, pinned, expiresAt: row.expires_at };
}
