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
/** Of a longer text, its beginning is enough to tell what it is about, unless the question asks for something else. */
const BEGINNING = 40_000;

export function countTerms(
  { content, category, tags }: Omit<Described, 'id' | 'version'>,
  characters = BEGINNING,
): TermCounts {
  const counts = new Map<string, number>();
  const text = analyze(content.slice(0, characters).toWellFormed());
  const named = analyze(`${category} ${tags.join(' ')}`);
  for (const term of text) counts.set(term, (counts.get(term) ?? 0) + 1);
  const labels = new Set(named.filter((term) => !counts.has(term)));
  for (const term of labels) counts.set(term, 1);
  return { counts, labels, length: text.length };
}

export class TermCounter {
  readonly #kept = new Map<string, { readonly version: number; readonly terms: TermCounts }>();
  #words = 0;

  /** The terms of its beginning, or of all of it when nothing that is asked for comes up there. */
  of(record: Described, asked: readonly string[] = []): TermCounts {
    const { length } = record.content;
    const beginning = this.#counted(record, BEGINNING);
    const isEnough = length <= BEGINNING || asked.length === 0;
    if (isEnough || asked.some((term) => beginning.counts.has(term))) return beginning;
    return this.#counted(record, length);
  }

  #counted(record: Described, characters: number): TermCounts {
    const key = characters === BEGINNING ? record.id : `${record.id} whole`;
    const kept = this.#kept.get(key);
    if (kept?.version === record.version) return kept.terms;
    const terms = countTerms(record, characters);
    this.#drop(key);
    this.#kept.set(key, { version: record.version, terms });
    this.#words += terms.counts.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#words <= MAX_KEPT_WORDS) break;
      this.#drop(oldest);
    }
    return terms;
  }

  #drop(key: string): void {
    this.#words -= this.#kept.get(key)?.terms.counts.size ?? 0;
    this.#kept.delete(key);
  }
}
