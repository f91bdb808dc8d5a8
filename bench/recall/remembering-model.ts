/** Slow models that make the vectors of a text once, however many stores and runs of a benchmark hold it. */
import { homedir } from 'node:os';
import { openEmbedding } from '../../src/config/embedding.ts';
import { openTokenModel } from '../../src/config/late-interaction.ts';
import type { EmbeddingModel } from '../../src/ports/embedding-model.ts';
import type { TextInPlace, TokenModel } from '../../src/ports/token-model.ts';
import { KnownVectors } from './known-vectors.ts';

export async function rememberingModel(embedding: string): Promise<EmbeddingModel> {
  const model = await openEmbedding({ models: { embedding }, env: process.env, root: homedir() });
  if (model === undefined) throw new Error(`${embedding} is no embedding model.`);
  const known = new KnownVectors(model.id);
  return {
    ...model,
    embed: async (texts, kind, signal) => {
      const sources = texts.map((text) => `${kind} ${text}`);
      const vectors = new Map(sources.map((source) => [source, floats(known.get(source))]));
      const missing = [...new Set(texts)].filter((text) => vectors.get(`${kind} ${text}`) === undefined);
      const made = missing.length === 0 ? [] : await model.embed(missing, kind, signal);
      const fresh = new Map(missing.map((text, i) => [`${kind} ${text}`, made[i] as Float32Array]));
      known.put(fresh);
      return sources.map((source) => (vectors.get(source) ?? fresh.get(source)) as Float32Array);
    },
    // The stores of a benchmark come and go; the model stays.
    close: async () => {},
  };
}

const floats = (bytes: ArrayBuffer | undefined): Float32Array | undefined =>
  bytes === undefined ? undefined : new Float32Array(bytes);

export async function rememberingTokens(name: 'minilm'): Promise<TokenModel> {
  const model = await openTokenModel({
    models: { lateInteraction: name },
    env: process.env,
    root: homedir(),
  });
  const known = new KnownVectors(model!.id);
  const sourceOf = ({ text, before, after, mostPassages }: TextInPlace): string =>
    JSON.stringify([text, before, after, ...(mostPassages === undefined ? [] : [mostPassages])]);
  return {
    ...model!,
    encode: async (texts, signal) => {
      const vectors = new Map(texts.map((text) => [sourceOf(text), known.get(sourceOf(text))]));
      const missing = texts.filter((text) => vectors.get(sourceOf(text)) === undefined);
      const made = missing.length === 0 ? [] : await model!.encode(missing, signal);
      const fresh = new Map(missing.map((text, i) => [sourceOf(text), made[i]!]));
      known.put(fresh);
      return texts.map((text) => {
        const kept = vectors.get(sourceOf(text));
        return kept === undefined ? fresh.get(sourceOf(text))! : new Int8Array(kept);
      });
    },
    close: async () => {},
  };
}
