/** Ten copies of one fact must not fill the result: copies go behind everything that says something else. */
import type { TermCounts } from './term-counts.ts';

/** Two texts that share this part of their words say the same, as long as their numbers agree. */
const COPY = 0.8;
const NUMBER = /\d/;

function sayTheSame(a: TermCounts, b: TermCounts): boolean {
  const [small, large] = a.counts.size <= b.counts.size ? [a.counts, b.counts] : [b.counts, a.counts];
  if (small.size < COPY * large.size) return false;
  let shared = 0;
  for (const term of small.keys()) {
    if (large.has(term)) shared++;
    else if (NUMBER.test(term)) return false;
  }
  for (const term of large.keys()) if (NUMBER.test(term) && !small.has(term)) return false;
  return shared >= COPY * (small.size + large.size - shared);
}

/** The same hits, the first of each meaning in front; the order is otherwise kept. */
export function copiesLast<T>(hits: readonly T[], termsOf: (hit: T) => TermCounts, wanted: number): T[] {
  const first: T[] = [];
  const copies: T[] = [];
  for (const hit of hits) {
    // Enough different ones were found: what follows is not shown anyway.
    if (first.length >= wanted) copies.push(hit);
    else if (first.some((other) => sayTheSame(termsOf(other), termsOf(hit)))) copies.push(hit);
    else first.push(hit);
  }
  return [...first, ...copies];
}
