/** Merges equal passages into one hit with all of its locations. */
import { type WithNotices, withNotices } from '../kernel/notices.ts';
import type { MemoryHit } from '../records/index.ts';
import { citationsOf } from './chunk-metadata.ts';

export interface Passage extends MemoryHit {
  readonly citation: string;
  readonly also: readonly string[];
}

const WIDER = 3;
const WIDEST = 1_000;

/** Looks again for more where copies took the places of others. */
export async function onePassageEach(
  limit: number,
  search: (limit: number) => Promise<WithNotices<readonly MemoryHit[]>>,
  fits: (hit: MemoryHit) => boolean = () => true,
): Promise<WithNotices<readonly Passage[]>> {
  for (let wanted = limit; ; wanted = Math.min(WIDEST, wanted * WIDER)) {
    const hits = await search(wanted);
    const passages = joined(hits.filter(fits));
    const isEnough = passages.length >= limit || hits.length < wanted || wanted === WIDEST;
    if (isEnough) return withNotices(passages.slice(0, limit), hits.notices);
  }
}

function joined(hits: readonly MemoryHit[]): Passage[] {
  const byText = Map.groupBy(hits, ({ content }) => content.trim());
  return [...byText.values()].map((same) => {
    // Two agents that share a folder have the same places.
    const [citation = '', ...also] = new Set(same.flatMap(citationsOf));
    return { ...same[0]!, citation, also };
  });
}
