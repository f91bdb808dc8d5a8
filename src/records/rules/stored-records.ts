/** What a store keeps of a record, and how it reads: now, at an earlier time, and version by version. */
import { type MemoryRecord, type RecordVersion, stateAt } from '../../kernel/record.ts';
import { isVisible, type Viewer, visibleTo } from '../../kernel/scope.ts';
import type { RecordDraft, StoredRecord } from '../../ports/record-store.ts';

/** What a version remembers: the fields that a caller can change. */
export type Snapshot = Omit<RecordVersion, 'id' | 'version' | 'change' | 'changedAt' | 'changedBy'>;

/** An earlier version as it is kept. */
export type KeptVersion = Pick<RecordVersion, 'version' | 'change' | 'changedAt' | 'changedBy'> & {
  readonly snapshot: Snapshot;
};

/** A record expires at its instant, not after it. */
export const isOver = (expiresAt: number | null, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

export function recordAt(stored: StoredRecord, now: number): MemoryRecord {
  const state = stateAt(now, stored);
  return {
    id: stored.id,
    agent: stored.agent,
    user: stored.user,
    scope: stored.scope,
    source: stored.source,
    category: stored.category,
    confidence: stored.confidence,
    content: stored.content,
    tags: stored.tags,
    metadata: stored.metadata,
    origin: stored.origin,
    pinned: stored.pinned,
    thread: stored.thread,
    state,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    validFrom: stored.validFrom,
    expiresAt: stored.expiresAt,
    expiryReason: state === 'expired' ? (stored.expiryReason ?? 'ttl') : null,
    supersedes: stored.supersedes,
    supersededBy: stored.supersededBy,
    forgottenAt: stored.forgottenAt,
    version: stored.version,
    accessCount: stored.accessCount,
    lastAccessedAt: stored.lastAccessedAt,
    injectedCount: stored.injectedCount,
  };
}

/** A record as `recordAt` reads it right after it was added. */
export function newRecord(
  { embedding: _, ...draft }: RecordDraft,
  supersedes: string | null,
  at: number,
): MemoryRecord {
  const state = stateAt(at, { expiresAt: draft.expiresAt, forgottenAt: null });
  return {
    ...draft,
    state,
    createdAt: at,
    updatedAt: at,
    expiryReason: state === 'expired' ? 'ttl' : null,
    supersedes,
    supersededBy: null,
    forgottenAt: null,
    version: 1,
    accessCount: 0,
    lastAccessedAt: null,
    injectedCount: 0,
  };
}

export function snapshotOf(stored: Snapshot): Snapshot {
  const { content, category, confidence, scope, tags, metadata, pinned, expiresAt } = stored;
  return { content, category, confidence, scope, tags, metadata, pinned, expiresAt };
}

/** The present version, to be kept when another one takes its place. */
export function presentVersion(stored: StoredRecord): KeptVersion {
  const { version, change, updatedAt: changedAt, changedBy } = stored;
  return { version, change, changedAt, changedBy, snapshot: snapshotOf(stored) };
}

/**
 * Every version, oldest first; the last is the record as it is now. Versions from before a record was shared stay private,
 * so that a viewer may see none or some of them.
 */
export function historyFor(
  viewer: Viewer,
  stored: StoredRecord,
  earlier: readonly KeptVersion[],
): RecordVersion[] {
  const visibility = visibleTo(viewer);
  if (!isVisible(visibility, stored)) return [];
  const { id, agent, user } = stored;
  return [...earlier, presentVersion(stored)]
    .map(({ snapshot, ...version }) => ({ id, ...version, ...snapshot }))
    .filter(({ scope }) => isVisible(visibility, { agent, user, scope }));
}

/** A record as an earlier version had it, at a time when that was the present one; undefined if it was over by then. */
export function recordAsOf(
  stored: StoredRecord,
  { snapshot, version, changedAt }: Omit<KeptVersion, 'change' | 'changedBy'>,
  at: number,
): MemoryRecord | undefined {
  // What supersedes it may have taken effect before its own end.
  const end = stored.supersededBy === null ? null : stored.expiresAt;
  const expiresAt = earlier(snapshot.expiresAt, end);
  if (isOver(expiresAt, at)) return undefined;
  return {
    ...recordAt(stored, at),
    ...snapshot,
    version,
    updatedAt: changedAt,
    expiresAt,
    state: 'live',
    expiryReason: null,
  };
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
