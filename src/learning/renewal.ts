/** Extends the expiry of a record when the task or event that it describes happens again. */
import type { MemoryRecord } from '../kernel/record.ts';

/** `metadata.lastRun` says when the last time was; undefined for what never ends. */
export function renewedExpiry(
  { expiresAt, metadata, createdAt }: Pick<MemoryRecord, 'expiresAt' | 'metadata' | 'createdAt'>,
  now: number,
): number | null {
  if (expiresAt === null) return null;
  const since = typeof metadata.lastRun === 'number' ? metadata.lastRun : createdAt;
  return now + Math.max(0, expiresAt - since);
}
