/** Several lists, best first, as one: reciprocal ranks added up, as most do it. */
const SMOOTHING = 60;

export function fuseRanks<Id>(lists: readonly (readonly Id[])[], limit: number): Id[] {
  const scores = new Map<Id, number>();
  for (const ids of lists)
    for (const [place, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (SMOOTHING + place));
  const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit);
  return best.map(([id]) => id);
}
