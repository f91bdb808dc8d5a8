/** What has to be known of a memory before it is erased, so that copies of it can be found. */
import type { MemoryRecord } from '../kernel/record.ts';
import type { Viewer } from '../kernel/scope.ts';
import type { RecordStore } from '../ports/record-store.ts';

/** Takes copies of a memory out of what Keepsake recorded elsewhere, and says what it left. */
export type RedactCopies = (memory: {
  readonly id: string;
  /** What it says, and what it said before. */
  readonly texts: readonly string[];
}) => Promise<{ readonly redacted: number; readonly remains: readonly string[] }>;

export interface ForgottenCopies {
  readonly copiesRedacted: number;
  readonly remains: readonly string[];
}

/** Before the memory itself goes: the store then wipes the pages of both. */
export async function redactBefore(
  { id, content }: MemoryRecord,
  store: Pick<RecordStore, 'history'>,
  viewer: Viewer,
  redact: RedactCopies | undefined,
): Promise<ForgottenCopies> {
  if (redact === undefined) return { copiesRedacted: 0, remains: [] };
  const versions = await store.history(id, viewer);
  const texts = [content, ...versions.map((version) => version.content)].filter((text) => text.trim() !== '');
  if (texts.length === 0) return { copiesRedacted: 0, remains: [] };
  const { redacted, remains } = await redact({ id, texts });
  return { copiesRedacted: redacted, remains };
}

/** What the store itself keeps for a while comes first. */
export function withCopies<E extends { readonly remains?: readonly string[] }>(
  erasure: E,
  { copiesRedacted, remains }: ForgottenCopies,
): E & ForgottenCopies {
  return { ...erasure, copiesRedacted, remains: [...(erasure.remains ?? []), ...remains] };
}
