/** Finds the most similar name, for suggestions. */

/** Case, "_" and "-" are matters of taste: max_entries and maxEntries are the same name. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-\s]/g, '');
}

/** Edits between two words: insert, remove, replace, or swap two neighbours. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, before[j - 2]! + 1);
      current.push(best);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}

/** The closest of the valid names, or undefined when none is close enough to be worth a guess. */
export function nearestName(wrong: string, valid: Iterable<string>): string | undefined {
  // Names are short; a long one is a mistake of another kind, and comparing it would take quadratic time.
  if (wrong.length > 100) return undefined;
  const wanted = fold(wrong);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of valid) {
    const distance = editDistance(wanted, fold(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

export function sameName(a: string, b: string): boolean {
  return fold(a) === fold(b);
}
