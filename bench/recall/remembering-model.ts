/** A slow embedding model that makes the vector of a text once, however many stores of a benchmark hold it. */
import { homedir } from 'node:os';
import { openEmbedding } from '../../src/config/embedding.ts';
import type { EmbeddingModel } from '../../src/ports/embedding-model.ts';

export async function rememberingModel(embedding: string): Promise<EmbeddingModel> {
  const model = await openEmbedding({ models: { embedding }, env: process.env, root: homedir() });
  if (model === undefined) throw new Error(`${embedding} is no embedding model.`);
  const known = new Map<string, Float32Array>();
  return {
    ...model,
    embed: async (texts, kind, signal) => {
      const missing = [...new Set(texts)].filter((text) => !known.has(`${kind} ${text}`));
      const made = missing.length === 0 ? [] : await model.embed(missing, kind, signal);
      for (const [i, text] of missing.entries()) known.set(`${kind} ${text}`, made[i] as Float32Array);
      return texts.map((text) => known.get(`${kind} ${text}`) as Float32Array);
    },
    // The stores of a benchmark come and go; the model stays.
    close: async () => {},
  };
}
