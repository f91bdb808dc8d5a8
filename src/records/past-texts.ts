/** Caches vectors of texts that are no longer stored, such as what a memory said before it changed. */
import { createHash } from 'node:crypto';
import { makeDrafts } from './vector-drafts.ts';

/** Three megabytes of vectors of the usual length. */
const MOST = 2_000;

type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** Of one model. By the hash of a text and not by the text: what was forgotten must not live on here. */
export class PastTexts {
  readonly model: string;
  /** Null for a text that the model could not take. */
  readonly #vectors = new Map<string, Float32Array | null>();

  constructor(model: string) {
    this.model = model;
  }

  /** Makes vectors of the first `limit` texts that have none yet. */
  async make(texts: readonly string[], limit: number, embed: Embed): Promise<void> {
    const missing = new Map<string, string>();
    for (const text of texts) {
      const id = keyOf(text);
      if (!this.#vectors.has(id)) missing.set(id, text);
      if (missing.size === limit) break;
    }
    if (missing.size === 0) return;
    const batch = [...missing].map(([id, text]) => ({ id, version: 0, text }));
    const { drafts } = await makeDrafts(batch, embed);
    for (const id of missing.keys()) this.#vectors.set(id, null);
    for (const { id, vector } of drafts) this.#vectors.set(id, vector);
    for (const id of this.#vectors.keys()) {
      if (this.#vectors.size <= MOST) break;
      this.#vectors.delete(id);
    }
  }

  of(text: string): Float32Array | undefined {
    return this.#vectors.get(keyOf(text)) ?? undefined;
  }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
