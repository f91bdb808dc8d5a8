/** Words and what they find: an inverted index of Postgres over the words that we analysed ourselves. */
import type { WeighedText } from '../common/term-weights.ts';
import type { Lane } from './lane.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

/** Which tables and counters an index has. */
export interface IndexNames {
  readonly words: string;
  readonly terms: string;
  /** The column that says whose words they are. */
  readonly key: string;
  /** Counters of the lane: how many texts there are, and how many words they have together. */
  readonly rowCount: string;
  readonly wordCount: string;
  /** Whether texts that are gone still count in these: SQLite's index of messages does so, and the order is to be the same. */
  readonly countsGone: boolean;
}

interface Difference {
  readonly word: string;
  readonly by: 1 | -1;
}

export class TextIndex {
  readonly #names: IndexNames;
  readonly #update: (lane: Lane, differences: readonly Difference[]) => Promise<void>;

  constructor(names: IndexNames) {
    this.#names = names;
    this.#update = (lane, differences) => this.#countHolders(lane, differences);
  }

  /** Counts a text whose words were put into the table; `length` is that of the row. */
  added(lane: Lane, { words }: Pick<WeighedText, 'words'>, length: number): void {
    this.#count(lane, words, length, 1);
  }

  removed(lane: Lane, { words }: Pick<WeighedText, 'words'>, length: number): void {
    this.#count(lane, words, length, -1);
  }

  /** When all words were taken out at once. */
  reset(lane: Lane): void {
    lane.set(this.#names.rowCount, 0);
    lane.set(this.#names.wordCount, 0);
  }

  /**
   * The rows that hold any of the words, with their scores by BM25 as SQLite's FTS5 has it, to the last bit: the order of
   * the sums and the roundings are the same. `allowed` is a condition on the words, as `w`.
   */
  matches(words: readonly string[], allowed: Sql): Sql {
    const { key, words: table, terms, rowCount, wordCount } = this.#names;
    const frequency = (i: number): Sql => raw(`f${i}`);
    const sum = joined(
      words.map(
        (word, i) => sql`COALESCE((SELECT idf FROM worth WHERE term = ${word}) *
          ((${frequency(i)} * (1.2::float8 + 1)) / (${frequency(i)} + norm)), 0)`,
      ),
      ' + ',
    );
    const frequencies = joined(
      words.map((word, i) => sql`w.frequencies[array_position(w.words, ${word})] AS ${frequency(i)}`),
      ', ',
    );
    return sql`
      WITH total AS (
        SELECT (counters::json ->> ${raw(`'${rowCount}'`)})::float8 AS texts,
          (counters::json ->> ${raw(`'${wordCount}'`)})::float8 AS words
        FROM lanes WHERE name = 'memory'
      ), worth AS MATERIALIZED (
        SELECT term, CASE WHEN idf <= 0 THEN 1e-6::float8 ELSE idf END AS idf FROM (
          SELECT term, ln((texts - holders + 0.5::float8) / (holders + 0.5::float8)) AS idf
          FROM ${raw(terms)}, total WHERE term = ANY(${words}::text[])
        ) known
      ), found AS MATERIALIZED (
        SELECT w.${raw(key)}, ${frequencies},
          1.2::float8 * ((1::float8 - 0.75::float8) + (0.75::float8 * w.length) / (total.words / total.texts)) AS norm
        FROM ${raw(table)} w, total
        WHERE w.words && ${words}::text[] AND ${allowed}
      )
      SELECT ${raw(key)}, ${sum} AS score FROM found`;
  }

  #count(lane: Lane, words: readonly string[], length: number, by: 1 | -1): void {
    if (by === 1 || !this.#names.countsGone) {
      lane.count(this.#names.rowCount, by);
      lane.count(this.#names.wordCount, by * length);
    }
    lane.defer(
      this.#update,
      words.map((word) => ({ word, by })),
    );
  }

  /** Words that nobody holds any more go: they may be all that is left of a text that was forgotten. */
  async #countHolders(lane: Lane, differences: readonly Difference[]): Promise<void> {
    const sums = new Map<string, number>();
    for (const { word, by } of differences) sums.set(word, (sums.get(word) ?? 0) + by);
    const changed = [...sums].filter(([, by]) => by !== 0);
    if (changed.length === 0) return;
    const terms = raw(this.#names.terms);
    await lane.run(
      sql`INSERT INTO ${terms} AS t (term, holders)
          SELECT * FROM unnest(${changed.map(([word]) => word)}::text[], ${changed.map(([, by]) => by)}::int[])
          ON CONFLICT (term) DO UPDATE SET holders = t.holders + excluded.holders`,
    );
    const fewer = changed.filter(([, by]) => by < 0).map(([word]) => word);
    if (fewer.length > 0)
      await lane.run(sql`DELETE FROM ${terms} WHERE term = ANY(${fewer}::text[]) AND holders <= 0`);
  }
}
