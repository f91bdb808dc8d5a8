/** Ranks items by their texts, as memories are ranked: words and meaning together, without a threshold. */
import type { Item, ItemPlace, ItemStore, StoredText } from '../ports/item-store.ts';
import { dot, type Embedder, rankTexts } from '../records/index.ts';

export interface FoundItem extends Item {
  /** 0 to 1; null for an item that has no text to search. */
  readonly score: number | null;
}

interface SearchParts {
  readonly store: ItemStore;
  readonly embedder: Embedder;
}

/** Texts without a vector that one search embeds; what is left has its words. */
const CATCH_UP = 1_000;
const BATCH = 64;

export async function searchItems(
  parts: SearchParts,
  place: ItemPlace,
  query: string,
  items: readonly Item[],
): Promise<readonly FoundItem[]> {
  const wanted = new Map(items.map((item) => [item.seq, item]));
  const texts = (await parts.store.texts(place)).filter(({ seq }) => wanted.has(seq));
  const similarities = await compare(parts, query, texts);
  const ranked = rankTexts(
    query,
    texts.map(({ words }, i) => ({ words, similarity: similarities[i]! })),
    parts.embedder.model?.calibration,
  );
  const best = new Map<number, number>();
  texts.forEach(({ seq }, i) => {
    best.set(seq, Math.max(best.get(seq) ?? 0, ranked[i]!));
  });
  const found = items.map((item) => ({ ...item, score: best.get(item.seq) ?? null }));
  // Sorting is stable: of equals, the oldest comes first.
  return found.sort((a, b) => (b.score ?? -1) - (a.score ?? -1));
}

/** The cosine of each text with the question; null where no vector can be had. */
async function compare(
  { store, embedder }: SearchParts,
  query: string,
  texts: readonly StoredText[],
): Promise<readonly (number | null)[]> {
  const question = texts.length === 0 ? undefined : await embedder.query(query);
  if (question === undefined) return texts.map(() => null);
  const vectors = texts.map(({ embedding }) =>
    embedding?.model === question.model ? embedding.vector : undefined,
  );
  const missing = texts.map((_, i) => i).filter((i) => vectors[i] === undefined);
  for (let from = 0; from < Math.min(missing.length, CATCH_UP); from += BATCH) {
    const batch = missing.slice(from, from + BATCH);
    const made = await embedder.documents(batch.map((i) => texts[i]!.content));
    if (made?.[0]?.model !== question.model) break;
    const drafts = batch.map((i, n) => ({ ...texts[i]!, vector: made[n]!.vector }));
    await store.saveVectors(question.model, drafts);
    batch.forEach((i, n) => {
      vectors[i] = made[n]!.vector;
    });
  }
  return vectors.map((vector) => (vector === undefined ? null : dot(vector, question.vector)));
}
