/** The embedding model that comes with the package, for programs that want vectors without a workspace. */
import { openEmbedding } from '../config/embedding.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';

export async function loadStaticEmbedding(): Promise<EmbeddingModel> {
  const place = {
    models: { embedding: 'static' as const, embeddingUrl: undefined },
    env: {},
    root: process.cwd(),
  };
  return (await openEmbedding(place as never)) as EmbeddingModel;
}
