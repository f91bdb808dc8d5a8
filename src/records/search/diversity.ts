/** Diversity: near-duplicates rank behind hits with other content. */
import { analyze } from '../../kernel/analysis.ts';
import { type TermCounts, tellingWords } from './term-counts.ts';

/** Two texts that share this part of their telling words say the same, as long as nothing decisive sets them apart. */
const COPY = 0.9;
const NUMBER = /^(?!emoji).*\d/;
const NEGATIONS = new Set(['no', 'not', 'never', 'without'].flatMap(analyze));

interface Gist {
  /** What it is about, without the words that every sentence has. */
  readonly telling: ReadonlySet<string>;
  /** Numbers and negations: one of them makes another statement of the same words. */
  readonly decisive: ReadonlySet<string>;
}

const gists = new WeakMap<TermCounts, Gist>();

/** Texts come up again and again, and their counts are kept. */
function gistOf(terms: TermCounts): Gist {
  let known = gists.get(terms);
  if (known === undefined) {
    known = readGist(terms);
    gists.set(terms, known);
  }
  return known;
}

function readGist(terms: TermCounts): Gist {
  const said = [...terms.counts.keys()].filter((term) => !terms.labels.has(term));
  const telling = tellingWords(terms);
  return {
    telling: new Set(telling.length > 0 ? telling : said),
    decisive: new Set(said.filter((term) => NUMBER.test(term) || NEGATIONS.has(term))),
  };
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((term) => b.has(term));
}

function sayTheSame(a: Gist, b: Gist): boolean {
  if (!areEqual(a.decisive, b.decisive)) return false;
  const [small, large] = a.telling.size <= b.telling.size ? [a.telling, b.telling] : [b.telling, a.telling];
  if (small.size < COPY * large.size) return false;
  let shared = 0;
  for (const term of small) if (large.has(term)) shared++;
  return shared >= COPY * (small.size + large.size - shared);
}

/** The first of each meaning, as many as are wanted, and all others; both in the order of the hits. */
export function partCopies<T>(
  hits: readonly T[],
  termsOf: (hit: T) => TermCounts,
  wanted: number,
): { readonly first: T[]; readonly copies: T[] } {
  const first: T[] = [];
  const gists: Gist[] = [];
  const copies: T[] = [];
  for (const hit of hits) {
    // Enough different ones were found: what follows is not shown anyway.
    if (first.length >= wanted) {
      copies.push(hit);
      continue;
    }
    const gist = gistOf(termsOf(hit));
    if (gists.some((other) => sayTheSame(other, gist))) copies.push(hit);
    else {
      first.push(hit);
      gists.push(gist);
    }
  }
  return { first, copies };
}
