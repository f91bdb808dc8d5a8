/** Switches to another model: its vectors are staged, and replace the others once all of them exist. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { VectorStore } from '../ports/record-store.ts';
import type { StagedVectors } from '../ports/staged-vectors.ts';
import { makeDrafts } from './vector-drafts.ts';

export interface ReEmbedProgress {
  readonly done: number;
  readonly total: number;
}

export interface ReEmbedParts {
  readonly vectors: VectorStore;
  readonly model: EmbeddingModel;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: ReEmbedProgress) => void) | undefined;
}

export interface ReEmbedReport {
  readonly model: string;
  /** The model before; null when there were no vectors. */
  readonly previous: string | null;
  readonly switched: boolean;
  /** Vectors that were made now. */
  readonly made: number;
  /** Those that an earlier call had made. */
  readonly kept: number;
  /** Texts that the model could not take; their memories are found by words. */
  readonly missing: number;
}

export async function reEmbed({ vectors, model, signal, onProgress }: ReEmbedParts): Promise<ReEmbedReport> {
  const aside = requireAside(vectors);
  const previous = await aside.present();
  const report = { model: model.id, previous, switched: false, made: 0, kept: 0, missing: 0 };
  if (previous === null || previous === model.id) {
    await aside.drop();
    return report;
  }
  const { done: kept, total } = await aside.begin(model.id);
  let made = 0;
  const told = (count: number): void => {
    made += count;
    onProgress?.({ done: Math.min(kept + made, total), total });
  };
  told(0);
  for (;;) {
    const missing = await makeAll(aside, model, signal, told);
    const outcome = await aside.switchTo(model.id, missing);
    if (outcome.switched) return { ...report, switched: true, made, kept, missing: outcome.missing };
    // What was stored while the last ones were made: once more, for these.
  }
}

function requireAside({ aside }: VectorStore): StagedVectors {
  if (aside !== undefined) return aside;
  throw new KeepsakeError('UNSUPPORTED', 'The engine of this workspace cannot keep vectors of two models.', {
    hint: 'Run "keepsake models embed", which makes them one after another.',
  });
}

/** Says for how many texts there is no vector. */
async function makeAll(
  aside: StagedVectors,
  model: EmbeddingModel,
  signal: AbortSignal,
  told: (count: number) => void,
): Promise<number> {
  let missing = 0;
  for (let after: string | undefined; ; ) {
    if (signal.aborted) {
      throw new KeepsakeError('ABORTED', 'Re-embedding was stopped; search continues with the old vectors.', {
        hint: 'Run "keepsake re-embed" again: it continues where it stopped.',
      });
    }
    const batch = await aside.waiting(model.id, model.batchSize, after);
    if (batch.length === 0) return missing;
    const { drafts } = await makeDrafts(batch, (texts) => model.embed(texts, 'document', signal));
    told(await aside.save(model.id, drafts));
    missing += batch.length - drafts.length;
    after = batch.at(-1)!.id;
  }
}
