/** The words of a record and how often each occurs, kept for records that come up again and again. */

import { analyze, isTelling } from '../../kernel/analysis.ts';
import { defined } from '../../kernel/defined.ts';
import type { MemoryRecord } from '../../kernel/record.ts';

export interface TermCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** Terms of its category and tags that its text does not have. */
  readonly labels: ReadonlySet<string>;
  readonly length: number;
  /** Of a long text: where the passage is whose words these are. */
  readonly passage?: Passage;
}

export interface Passage {
  readonly start: number;
  readonly end: number;
}

type Described = Pick<MemoryRecord, 'id' | 'version' | 'content' | 'category' | 'tags'>;

/** Words of all kept records together: some tens of megabytes at most. */
const MAX_KEPT_WORDS = 1_000_000;
/** A longer text is about many things. It is judged by the passage that answers best, as if that stood alone. */
const LONG_TEXT = 3_000;
const PASSAGE = 1_500;
/** Passages overlap, so that no sentence is in none of them. */
const STEP = 1_000;

export function countTerms(
  { content, category, tags }: Omit<Described, 'id' | 'version'>,
  passage?: Passage,
): TermCounts {
  const counts = new Map<string, number>();
  const text = analyze(content.slice(passage?.start, passage?.end).toWellFormed());
  const named = analyze(`${category} ${tags.join(' ')}`);
  for (const term of text) counts.set(term, (counts.get(term) ?? 0) + 1);
  const labels = new Set(named.filter((term) => !counts.has(term)));
  for (const term of labels) counts.set(term, 1);
  return { counts, labels, length: text.length, ...defined({ passage }) };
}

const telling = new WeakMap<TermCounts, readonly string[]>();

/** The words of its text that say what it is about, each once. */
export function tellingWords(terms: TermCounts): readonly string[] {
  let known = telling.get(terms);
  if (known === undefined) {
    known = [...terms.counts.keys()].filter((term) => !terms.labels.has(term) && isTelling(term));
    telling.set(terms, known);
  }
  return known;
}

/** Whether it is judged by one of its passages. */
export function isLong({ content }: Pick<Described, 'content'>): boolean {
  return content.length > LONG_TEXT;
}

function passagesOf(record: Described): TermCounts[] {
  const { length } = record.content;
  if (!isLong(record)) return [countTerms(record)];
  const starts = Array.from({ length: Math.ceil((length - PASSAGE) / STEP) + 1 }, (_, i) => i * STEP);
  return starts.map((start) => countTerms(record, { start, end: Math.min(length, start + PASSAGE) }));
}

export class TermCounter {
  readonly #kept = new Map<string, { readonly version: number; readonly passages: readonly TermCounts[] }>();
  #words = 0;

  /** The terms of a record, or those of its passage that holds most of what is asked for; without any, its first. */
  of(record: Described, asked: ReadonlyMap<string, number> = new Map()): TermCounts {
    const passages = this.#passages(record);
    let best = passages[0]!;
    let most = 0;
    if (passages.length === 1) return best;
    for (const passage of passages) {
      let held = 0;
      for (const [term, weight] of asked) if (passage.counts.has(term)) held += weight;
      if (held > most) [best, most] = [passage, held];
    }
    return best;
  }

  /** The terms of its whole text, however long. */
  whole(record: Described): TermCounts {
    if (!isLong(record)) return this.of(record);
    return this.#counted(`${record.id} as a whole`, record.version, () => [countTerms(record)])[0]!;
  }

  #passages(record: Described): readonly TermCounts[] {
    return this.#counted(record.id, record.version, () => passagesOf(record));
  }

  #counted(id: string, version: number, count: () => readonly TermCounts[]): readonly TermCounts[] {
    const kept = this.#kept.get(id);
    if (kept?.version === version) return kept.passages;
    const passages = count();
    this.#drop(id);
    this.#kept.set(id, { version, passages });
    this.#words += wordsIn(passages);
    for (const oldest of this.#kept.keys()) {
      if (this.#words <= MAX_KEPT_WORDS) break;
      this.#drop(oldest);
    }
    return passages;
  }

  #drop(id: string): void {
    this.#words -= wordsIn(this.#kept.get(id)?.passages ?? []);
    this.#kept.delete(id);
  }
}

function wordsIn(passages: readonly TermCounts[]): number {
  return passages.reduce((sum, { counts }) => sum + counts.size, 0);
}
