/** Ranks texts that are not memories by words and meaning, for programs that want an order without a workspace. */
import { analyze } from '../kernel/analysis.ts';
import { dot, rankTexts } from '../records/index.ts';
import { loadStaticEmbedding } from './static-embedding.ts';

let model: ReturnType<typeof loadStaticEmbedding> | undefined;

/** One relevance per text, 0 to 1, in the order of the texts. */
export async function rankDocuments(
  query: string,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly number[]> {
  model ??= loadStaticEmbedding();
  const opened = await model;
  const [[question], vectors] = await Promise.all([
    opened.embed([query], 'query', signal),
    opened.embed(texts, 'document', signal),
  ]);
  const ranked = texts.map((text, i) => ({
    words: analyze(text).join(' '),
    similarity: dot(vectors[i]!, question!),
  }));
  return rankTexts(query, ranked, opened.calibration);
}
