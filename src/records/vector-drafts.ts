/** Computes vectors for a batch of records; a text that the model refuses does not block the others. */
import { ERROR_TABLE, KeepsakeError } from '../kernel/errors.ts';
import type { Unembedded, VectorDraft } from '../ports/record-store.ts';

/** A model that cannot take this either cannot take anything. */
const HARMLESS = 'Does it work?';

type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** `problem`: why some have no vector, or none has. Throws when that is not because of the texts. */
export async function makeDrafts(
  batch: readonly Unembedded[],
  embed: Embed,
): Promise<{ readonly drafts: readonly VectorDraft[]; readonly problem?: unknown }> {
  try {
    return { drafts: await draftsOf(batch, embed) };
  } catch (problem) {
    if (passes(problem)) throw problem;
    await embed([HARMLESS]).catch(() => {
      throw problem;
    });
    return { drafts: batch.length === 1 ? [] : await oneByOne(batch, embed), problem };
  }
}

async function draftsOf(batch: readonly Unembedded[], embed: Embed): Promise<VectorDraft[]> {
  const vectors = await embed(batch.map((record) => record.text));
  return batch.map(({ id, version }, i) => ({ id, version, vector: vectors[i] as Float32Array }));
}

async function oneByOne(batch: readonly Unembedded[], embed: Embed): Promise<VectorDraft[]> {
  const made: VectorDraft[] = [];
  for (const record of batch) {
    try {
      made.push(...(await draftsOf([record], embed)));
    } catch (error) {
      // Then it is not this text.
      if (passes(error)) throw error;
    }
  }
  return made;
}

/** Whether the same may go well another time, whatever the texts are. */
function passes(error: unknown): boolean {
  return KeepsakeError.is(error) && (ERROR_TABLE[error.code].retry || error.code === 'ABORTED');
}
