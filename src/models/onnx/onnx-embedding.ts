/** A local ONNX embedding model that runs in a worker thread. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EmbeddingKind, EmbeddingModel } from '../../ports/embedding-model.ts';
import type { LocalModel } from './catalog.ts';
import type { EmbedTask } from './protocol.ts';
import { unlessAborted } from './unless-aborted.ts';
import { WorkerThread } from './worker-thread.ts';

/** A stop is noticed between two of these: a fraction of a second. */
const BATCH_SIZE = 32;

export function createOnnxEmbedding(model: LocalModel, folder: string): EmbeddingModel {
  const { name, id, dimensions, calibration, pooling, queryPrompt, files } = model;
  const thread = new WorkerThread<EmbedTask, Float32Array>({
    makes: 'vectors',
    name,
    folder,
    files,
    dimensions,
    pooling,
  });
  let closed = false;

  async function embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const prompt = kind === 'query' ? queryPrompt : '';
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH_SIZE) {
      if (closed) throw new KeepsakeError('CLOSED', `The embedding model ${name} was closed.`);
      const batch = texts.slice(start, start + BATCH_SIZE);
      vectors.push(...(await unlessAborted(() => thread.call({ texts: batch, prompt }), signal)));
    }
    return vectors;
  }

  return {
    id,
    dimensions,
    batchSize: BATCH_SIZE,
    calibration,
    embed,
    async close() {
      closed = true;
      await thread.close();
    },
  };
}
