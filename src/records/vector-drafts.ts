/** Vectors for a batch of records. A text that the model cannot take does not hold up the others. */
import { ERROR_TABLE, KeepsakeError } from '../kernel/errors.ts';
import type { Unembedded, VectorDraft } from '../ports/record-store.ts';

/** When so many texts fail one by one and none succeeds, it is not the texts. */
const ENOUGH_FAILURES = 3;

type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** `problem`: why some have no vector. Throws when none has one. */
export async function makeDrafts(
  batch: readonly Unembedded[],
  embed: Embed,
): Promise<{ readonly drafts: readonly VectorDraft[]; readonly problem?: unknown }> {
  try {
    return { drafts: await draftsOf(batch, embed) };
  } catch (problem) {
    if (batch.length === 1 || passes(problem)) throw problem;
    return { drafts: await oneByOne(batch, embed, problem), problem };
  }
}

async function draftsOf(batch: readonly Unembedded[], embed: Embed): Promise<VectorDraft[]> {
  const vectors = await embed(batch.map((record) => record.text));
  return batch.map(({ id, version }, i) => ({ id, version, vector: vectors[i] as Float32Array }));
}

async function oneByOne(
  batch: readonly Unembedded[],
  embed: Embed,
  problem: unknown,
): Promise<VectorDraft[]> {
  const made: VectorDraft[] = [];
  let failures = 0;
  for (const record of batch) {
    try {
      made.push(...(await draftsOf([record], embed)));
    } catch {
      failures++;
      if (made.length === 0 && failures >= ENOUGH_FAILURES) throw problem;
    }
  }
  if (made.length === 0) throw problem;
  return made;
}

/** Whether the same may go well another time, whatever the texts are. */
export function passes(error: unknown): boolean {
  return KeepsakeError.is(error) && (ERROR_TABLE[error.code].retry || error.code === 'ABORTED');
}
