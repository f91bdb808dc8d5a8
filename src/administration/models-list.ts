/** Lists the embedding models, what each needs, and which one is configured. */
import { type EmbeddingEntry, listEmbeddings, readEnvironment } from '../config/index.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export type { EmbeddingEntry };

export async function modelsList(target: WorkspaceTarget): Promise<EmbeddingEntry[]> {
  const { root, config } = locate(target);
  return listEmbeddings({ root, models: config.models, env: readEnvironment() });
}
