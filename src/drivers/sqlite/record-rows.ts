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

export interface RecordRow {
  rid: number;
  id: string;
  agent: string;
  scope: Scope;
  source: Source;
  category: string;
  confidence: number;
  content: string;
  tags: string;
  metadata: string;
  origin: Origin;
  pinned: 0 | 1;
  thread: string | null;
  created_at: number;
  updated_at: number;
  valid_from: number | null;
  expires_at: number | null;
  expiry_reason: ExpiryReason | null;
  supersedes: string | null;
  superseded_by: string | null;
  forgotten_at: number | null;
  version: number;
  change: Change;
  changed_by: string;
  access_count: number;
  accessed_at: number | null;
  injected_count: number;
  counted: 0 | 1;
}

/** Every column but the hashes, which nobody outside of the driver needs. */
export const RECORD_COLUMNS = `r.rid, r.id, r.agent, r.scope, r.source, r.category, r.confidence, r.content, r.tags,
  r.metadata, r.origin, r.pinned, r.created_at, r.updated_at, r.expires_at, r.expiry_reason, r.forgotten_at, r.version,
  r.change, r.changed_by, r.access_count, r.accessed_at, r.injected_count, r.counted, r.thread, r.valid_from,
  r.supersedes, r.superseded_by`;

export function toRecord(row: RecordRow, now: number): MemoryRecord {
  const state = stateAt(now, { expiresAt: row.expires_at, forgottenAt: row.forgotten_at });
  return {
    id: row.id,
    agent: row.agent,
    scope: row.scope,
    source: row.source,
    category: row.category,
    confidence: row.confidence,
    content: row.content,
    tags: JSON.parse(row.tags) as string[],
    metadata: JSON.parse(row.metadata) as JsonObject,
    origin: row.origin,
    pinned: row.pinned === 1,
    thread: row.thread,
    state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    expiresAt: row.expires_at,
    expiryReason: state === 'expired' ? (row.expiry_reason ?? 'ttl') : null,
    supersedes: row.supersedes,
    supersededBy: row.superseded_by,
    forgottenAt: row.forgotten_at,
    version: row.version,
    accessCount: row.access_count,
    lastAccessedAt: row.accessed_at,
    injectedCount: row.injected_count,
  };
}

export function toSnapshot(row: RecordRow): Snapshot {
  return {
    content: row.content,
    category: row.category,
    confidence: row.confidence,
    scope: row.scope,
    tags: JSON.parse(row.tags) as string[],
    metadata: JSON.parse(row.metadata) as JsonObject,
    pinned: row.pinned === 1,
    expiresAt: row.expires_at,
  };
}
