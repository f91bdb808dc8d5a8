/** The statements that change records, prepared once. */
import type { Database, Statement } from 'better-sqlite3';
import type { MemoryRecord } from '../../kernel/record.ts';
import { userColumn } from '../common/record-columns.ts';
import { RECORD_COLUMNS } from './record-rows.ts';

type Name =
  | 'byId'
  | 'byRid'
  | 'byDigest'
  | 'insert'
  | 'update'
  | 'prune'
  | 'supersede'
  | 'forget'
  | 'version'
  | 'keepVersion'
  | 'dropVersions'
  | 'countAccess'
  | 'countInjection';

/** What `insert` takes, in the order of its columns: values by name take twice as long to bind. */
export function insertValues(
  record: MemoryRecord,
  its: {
    readonly tags: string;
    readonly changedBy: string;
    readonly counted: boolean;
    readonly digest: Buffer;
  },
): readonly unknown[] {
  return [
    ...[
      record.id,
      record.agent,
      userColumn(record.user),
      record.scope,
      record.source,
      record.category,
      record.confidence,
    ],
    ...[record.content, its.tags, JSON.stringify(record.metadata), record.origin, Number(record.pinned)],
    ...[record.thread, record.createdAt, record.updatedAt, record.validFrom, record.expiresAt],
    ...[record.supersedes, its.changedBy, Number(its.counted), its.digest],
  ];
}

export function prepareRecordStatements(database: Database): Readonly<Record<Name, Statement>> {
  const prepare = (sql: string): Statement => database.prepare(sql);
  const select = `SELECT ${RECORD_COLUMNS} FROM records r`;
  return {
    byId: prepare(`${select} WHERE r.id = ?`),
    byRid: prepare(`${select} WHERE r.rid = ?`),
    byDigest: prepare(
      `${select} WHERE r.digest = ? AND r.forgotten_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?) LIMIT 1`,
    ),
    insert:
      prepare(`INSERT INTO records (id, agent, user_id, scope, source, category, confidence, content, tags, metadata,
      origin, pinned, thread, created_at, updated_at, valid_from, expires_at, supersedes, version, change, changed_by,
      counted, digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'added', ?, ?, ?)`),
    update: prepare(`UPDATE records SET content = @content, category = @category, confidence = @confidence,
      scope = @scope, tags = @tags, metadata = @metadata, pinned = @pinned, expires_at = @expiresAt,
      expiry_reason = @expiryReason, updated_at = @updatedAt, version = @version, change = @change,
      changed_by = @changedBy, counted = @counted, digest = @digest WHERE rid = @rid`),
    prune: prepare(
      'UPDATE records SET expires_at = @expiresAt, expiry_reason = @expiryReason, counted = @counted WHERE id = @id',
    ),
    supersede: prepare(
      `UPDATE records SET expires_at = @expiresAt, expiry_reason = @expiryReason, superseded_by = @supersededBy,
       counted = @counted WHERE rid = @rid`,
    ),
    forget:
      prepare(`UPDATE records SET content = @content, category = @category, tags = @tags, metadata = @metadata,
      thread = @thread, forgotten_at = @forgottenAt, updated_at = @updatedAt, change = @change,
      changed_by = @changedBy, counted = @counted, digest = @digest WHERE rid = @rid`),
    version: prepare('SELECT snapshot FROM record_versions WHERE rid = ? AND version = ?').pluck(),
    keepVersion: prepare('INSERT INTO record_versions VALUES (?, ?, ?, ?, ?, ?)'),
    dropVersions: prepare('DELETE FROM record_versions WHERE rid = ?'),
    countAccess: prepare(
      'UPDATE records SET access_count = access_count + 1, accessed_at = ? WHERE id = ? AND forgotten_at IS NULL',
    ),
    countInjection: prepare(
      'UPDATE records SET injected_count = injected_count + 1 WHERE id = ? AND forgotten_at IS NULL',
    ),
  };
}
