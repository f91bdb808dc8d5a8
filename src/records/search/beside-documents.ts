/** Merges memories and document passages into one list in which passages do not displace memories. */

/**
 * By score, but a passage never follows a passage while there is still a memory: of any number of first hits, at least
 * about half are memories. Both lists are best first, and keep their order.
 */
export function besideDocuments<Hit extends { readonly score: number }>(
  learned: readonly Hit[],
  passages: readonly Hit[],
): Hit[] {
  const merged: Hit[] = [];
  let [own, other] = [0, 0];
  while (own < learned.length || other < passages.length) {
    const memory = learned[own];
    const passage = passages[other];
    const isPassage =
      memory === undefined || (passage !== undefined && other <= own && passage.score > memory.score);
    merged.push((isPassage ? passage : memory)!);
    if (isPassage) other++;
    else own++;
  }
  return merged;
}
