/** Splits texts into batches that a server accepts. */

import { readable } from './post-json.ts';

export interface BatchLimits {
  readonly maxTexts: number;
  /** Of all texts of a batch together. */
  readonly maxCharacters: number;
  /** Of one text; the rest of it is not read. */
  readonly maxTextCharacters: number;
}

export interface Batch {
  readonly texts: readonly string[];
  /** Where each text was in the list. */
  readonly places: readonly number[];
}

export function batchesOf(texts: readonly string[], limits: BatchLimits): Batch[] {
  const batches: { texts: string[]; places: number[] }[] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const [place, text] of texts.entries()) {
    const short = readable(text, limits.maxTextCharacters).trim();
    if (short === '') continue;
    const last = batches.at(-1);
    if (
      last === undefined ||
      last.texts.length >= limits.maxTexts ||
      characters + short.length > limits.maxCharacters
    ) {
      batches.push({ texts: [short], places: [place] });
      characters = short.length;
    } else {
      last.texts.push(short);
      last.places.push(place);
      characters += short.length;
    }
  }
  return batches;
}

/** Embeds batch by batch and puts every vector where its text was; a blank text gets zeros. */
export async function embedInBatches(
  texts: readonly string[],
  limits: BatchLimits,
  embed: (texts: readonly string[]) => Promise<Float32Array[]>,
  knownDimensions: () => number | undefined,
): Promise<Float32Array[]> {
  const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
  for (const batch of batchesOf(texts, limits)) {
    const answers = await embed(batch.texts);
    for (const [i, place] of batch.places.entries()) vectors[place] = answers[i]!;
  }
  const blank = vectors.includes(undefined);
  // Nothing but blanks so far: one word finds out how long their zeros have to be.
  if (blank && knownDimensions() === undefined) await embed(['word']);
  return vectors.map((vector) => vector ?? new Float32Array(knownDimensions() ?? 0));
}
