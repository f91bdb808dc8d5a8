/** The statements that change records, prepared once. */
import type { Database, Statement } from 'better-sqlite3';
import type { RecordDraft } from '../../ports/record-store.ts';
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
  draft: RecordDraft,
  its: {
    readonly tags: string;
    readonly supersedes: string | null;
    readonly at: number;
    readonly author: string;
    readonly counted: number;
    readonly digest: Buffer;
  },
): readonly unknown[] {
  return [
    ...[draft.id, draft.agent, draft.scope, draft.source, draft.category, draft.confidence, draft.content],
    ...[its.tags, JSON.stringify(draft.metadata), draft.origin, Number(draft.pinned), draft.thread],
    ...[its.at, its.at, draft.validFrom, draft.expiresAt, its.supersedes],
    ...[its.author, its.counted, its.digest],
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
      prepare(`INSERT INTO records (id, agent, scope, source, category, confidence, content, tags, metadata,
      origin, pinned, thread, created_at, updated_at, valid_from, expires_at, supersedes, version, change, changed_by,
      counted, digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'added', ?, ?, ?)`),
    update: prepare(`UPDATE records SET content = @content, category = @category, confidence = @confidence,
      scope = @scope, tags = @tags, metadata = @metadata, pinned = @pinned, expires_at = @expiresAt,
      expiry_reason = @reason, updated_at = @at, version = version + 1, change = @change, changed_by = @author,
      counted = @counted, digest = @digest WHERE rid = @rid`),
    prune: prepare(
      `UPDATE records SET expires_at = ?, expiry_reason = 'maxEntries', counted = 0 WHERE rid = ?`,
    ),
    supersede: prepare(
      `UPDATE records SET expires_at = @until, expiry_reason = 'superseded', superseded_by = @by, counted = 0
       WHERE rid = @rid`,
    ),
    forget:
      prepare(`UPDATE records SET content = '', category = '', tags = '[]', metadata = '{}', thread = NULL, forgotten_at = @at,
      updated_at = @at, change = 'updated', changed_by = @author, counted = 0, digest = @digest WHERE rid = @rid`),
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
