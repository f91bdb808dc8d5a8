/** The words of a record and how often each occurs, kept for records that come up again and again. */
import { analyze } from '../../kernel/analysis.ts';
import type { MemoryRecord } from '../../kernel/record.ts';

export interface TermCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** Terms of its category and tags that its text does not have. */
  readonly labels: ReadonlySet<string>;
  readonly length: number;
}

type Described = Pick<MemoryRecord, 'id' | 'version' | 'content' | 'category' | 'tags'>;

/** Words of all kept records together: some tens of megabytes at most. */
const MAX_KEPT_WORDS = 1_000_000;
/** Of a longer text, only its beginning is weighed: enough to tell what it is about. */
const MAX_CHARACTERS = 40_000;

export function countTerms({ content, category, tags }: Omit<Described, 'id' | 'version'>): TermCounts {
  const counts = new Map<string, number>();
  const text = analyze(content.slice(0, MAX_CHARACTERS).toWellFormed());
  const named = analyze(`${category} ${tags.join(' ')}`);
  for (const term of text) counts.set(term, (counts.get(term) ?? 0) + 1);
  const labels = new Set(named.filter((term) => !counts.has(term)));
  for (const term of labels) counts.set(term, 1);
  return { counts, labels, length: text.length };
}

export class TermCounter {
  readonly #kept = new Map<string, { readonly version: number; readonly terms: TermCounts }>();
  #words = 0;

  of(record: Described): TermCounts {
    const kept = this.#kept.get(record.id);
    if (kept?.version === record.version) return kept.terms;
    const terms = countTerms(record);
    this.#drop(record.id);
    this.#kept.set(record.id, { version: record.version, terms });
    this.#words += terms.counts.size;
    for (const id of this.#kept.keys()) {
      if (this.#words <= MAX_KEPT_WORDS) break;
      this.#drop(id);
    }
    return terms;
  }

  #drop(id: string): void {
    this.#words -= this.#kept.get(id)?.terms.counts.size ?? 0;
    this.#kept.delete(id);
  }
}
