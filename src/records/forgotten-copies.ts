/** Collects what is needed to find copies of a memory before it is erased. */
import { inTurns } from '../kernel/in-turns.ts';
import { type MemoryRecord, type RecordVersion, SUGGESTED_CATEGORIES } from '../kernel/record.ts';
import type { Viewer } from '../kernel/scope.ts';
import type { RecordStore } from '../ports/record-store.ts';

/** A memory that is about to be erased. */
export interface DoomedMemory {
  readonly id: string;
  /** What it says, and what it said before. */
  readonly texts: readonly string[];
  /** Categories and tags that it has or had, as far as they are free text. */
  readonly labels: readonly string[];
}

/**
 * Takes copies of memories out of what Keepsake recorded elsewhere, and says for each what it left. Only what the viewer
 * may read is named.
 */
export type RedactCopies = (
  memories: readonly DoomedMemory[],
  viewer: Viewer,
) => Promise<readonly { readonly redacted: number; readonly remains: readonly string[] }[]>;

export interface ForgottenCopies {
  readonly copiesRedacted: number;
  readonly remains: readonly string[];
}

const NOTHING: ForgottenCopies = { copiesRedacted: 0, remains: [] };

/** Before the memories themselves go: the store then wipes the pages of both. Memories that are null are left alone. */
export async function redactBefore(
  memories: readonly (MemoryRecord | null)[],
  store: Pick<RecordStore, 'history'>,
  viewer: Viewer,
  redact: RedactCopies | undefined,
): Promise<readonly ForgottenCopies[]> {
  const doomed = await inTurns(memories, async (memory) =>
    memory === null ? null : doom(memory, await store.history(memory.id, viewer)),
  );
  const known = doomed.filter((memory) => memory !== null);
  if (redact === undefined || known.length === 0) return memories.map(() => NOTHING);
  const found = await redact(known, viewer);
  return doomed.map((memory) => {
    const copies = memory === null ? undefined : found[known.indexOf(memory)];
    return copies === undefined ? NOTHING : { copiesRedacted: copies.redacted, remains: copies.remains };
  });
}

/** Null for a memory whose text was erased before. */
function doom(present: MemoryRecord, versions: readonly RecordVersion[]): DoomedMemory | null {
  const all = [present, ...versions];
  const texts = all.map(({ content }) => content).filter((text) => text.trim() !== '');
  if (texts.length === 0) return null;
  const shared: readonly string[] = SUGGESTED_CATEGORIES;
  const labels = all
    .flatMap(({ category, tags }) => [category, ...tags])
    .filter((label) => label.trim() !== '' && !shared.includes(label));
  return { id: present.id, texts: [...new Set(texts)], labels: [...new Set(labels)] };
}

/** What the store itself keeps for a while comes first. */
export function withCopies<E extends { readonly remains?: readonly string[] }>(
  erasure: E,
  { copiesRedacted, remains }: ForgottenCopies,
): E & ForgottenCopies {
  return { ...erasure, copiesRedacted, remains: [...(erasure.remains ?? []), ...remains] };
}
