/** What changed between two texts, word by word. */

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The table of a comparison has as many cells as the words of one text times those of the other. */
const MOST_CELLS = 4_000_000;

/** Words, and what is between them. */
const tokens = (text: string): string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** Length of the longest common subsequence of what follows each pair of positions. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let k = b.length - 1; k >= 0; k--) {
      const at = i * width + k;
      lengths[at] =
        a[i] === b[k] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  return lengths;
}

function join(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.kind === part.kind) joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

export function wordDiff(before: string, after: string): DiffPart[] {
  const [a, b] = [tokens(before), tokens(after)];
  if (a.length * b.length > MOST_CELLS) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  const parts: DiffPart[] = [];
  let [i, k] = [0, 0];
  while (i < a.length || k < b.length) {
    const at = i * width + k;
    if (i < a.length && k < b.length && a[i] === b[k]) {
      parts.push({ kind: 'same', text: a[i]! });
      i++;
      k++;
    } else if (i < a.length && (k === b.length || lengths[at + width]! >= lengths[at + 1]!)) {
      parts.push({ kind: 'removed', text: a[i++]! });
    } else parts.push({ kind: 'added', text: b[k++]! });
  }
  return join(parts);
}
