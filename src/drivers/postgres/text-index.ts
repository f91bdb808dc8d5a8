/** Words and what they find: an inverted index of Postgres over the words that we analysed ourselves. */
import type { WeighedText } from '../common/term-weights.ts';
import type { Lane } from './lane.ts';
import { type Holders, RarestWords } from './rarest-words.ts';
import type { Session } from './session.ts';
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
  /** Of texts with the same score. */
  readonly newestFirst: boolean;
  /** Of the table with the texts themselves, in columns that are asked for. */
  readonly alias: string;
}

interface Difference {
  readonly word: string;
  readonly by: 1 | -1;
}

interface Best {
  readonly words: readonly string[];
  /** A condition on rows of words, as `w`. */
  readonly allowed: Sql;
  readonly limit: number;
  readonly columns: Sql;
  /** Selects the row that `ranked` is about, if it passes; with the alias that the columns have. */
  readonly passing: Sql;
}

interface Scored {
  readonly number: number;
  readonly score: number;
}

/** Sums in another order differ in their last bits: so many more are weighed exactly. */
const SPARE = 32;

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
   * The rows that hold any of the words, best first, and only those that pass. The scores are those of BM25 as SQLite's
   * FTS5 has it, to the last bit: the order of the sums and the roundings are the same.
   */
  async best<Row>(database: Pick<Session, 'rows'>, best: Best): Promise<(Row & { score: number })[]> {
    const { known, texts } = await this.#holders(database, best.words);
    if (known.length === 0) return [];
    const held = new Set(known.map(({ term }) => term));
    const words = best.words.filter((word) => held.has(word));
    const rarest = new RarestWords(known, texts, best.limit);
    const later = this.#names.newestFirst ? -1 : 1;
    for (let count = rarest.start(); ; ) {
      const rows = await database.rows<Row & Scored>(this.#question({ ...best, words }, rarest, count));
      rows.sort((a, b) => b.score - a.score || later * (a.number - b.number));
      const found = rows.slice(0, best.limit);
      const next = rarest.next(
        count,
        found.map(({ score }) => score),
      );
      if (next === undefined) return found.map(({ number: _, ...row }) => row as Row & Scored);
      count = next;
    }
  }

  async #holders(
    database: Pick<Session, 'rows'>,
    words: readonly string[],
  ): Promise<{ known: Holders[]; texts: number }> {
    const rows = await database.rows<Holders & { texts: number }>(
      sql`SELECT t.term, t.holders, (l.counters::json ->> ${raw(`'${this.#names.rowCount}'`)})::float8 AS texts
          FROM ${raw(this.#names.terms)} t, lanes l WHERE t.term = ANY(${words}::text[]) AND l.name = 'memory'`,
    );
    return { known: rows, texts: rows[0]?.texts ?? 0 };
  }

  /**
   * Texts that hold a rare word are put in order by what those words say. Those that the common words may still bring to
   * the front are weighed by these, too, and the best by all words once more, exactly.
   */
  #question({ words, allowed, limit, columns, passing }: Best, rarest: RarestWords, count: number): Sql {
    const { key: name, words: table, terms, rowCount, wordCount, newestFirst, alias } = this.#names;
    const [key, from, order] = [raw(name), raw(table), raw(newestFirst ? 'DESC' : 'ASC')];
    const norm = raw(
      '1.2::float8 * ((1::float8 - 0.75::float8) + (0.75::float8 * w.length) / (total.words / total.texts))',
    );
    const added = (idf: Sql, frequency: Sql): Sql =>
      sql`${idf} * ((${frequency} * (1.2::float8 + 1)) / (${frequency} + w.norm))`;
    const each = added(raw('e.idf'), raw('w.frequency'));
    // Each word by itself: the index tells who holds it, and no row is searched for words that it does not hold.
    const holders = joined(
      rarest.rarest(count).map(
        (word) => sql`SELECT w.${key}, w.length, ${raw(String(words.indexOf(word) + 1))} AS place,
          w.frequencies[array_position(w.words, ${word})] AS frequency
          FROM ${from} w WHERE w.words @> ARRAY[${word}]::text[] AND ${allowed}`,
      ),
      ' UNION ALL ',
    );
    const parts = sql`
      WITH total AS MATERIALIZED (
        SELECT (counters::json ->> ${raw(`'${rowCount}'`)})::float8 AS texts,
          (counters::json ->> ${raw(`'${wordCount}'`)})::float8 AS words
        FROM lanes WHERE name = 'memory'
      ), worth AS MATERIALIZED (
        SELECT term, place, CASE WHEN idf <= 0 THEN 1e-6::float8 ELSE idf END AS idf FROM (
          SELECT term, array_position(${words}::text[], term) AS place,
            ln((texts - holders + 0.5::float8) / (holders + 0.5::float8)) AS idf
          FROM ${raw(terms)}, total WHERE term = ANY(${words}::text[])
        ) known
      ), parts AS MATERIALIZED (
        SELECT ${key}, sum(added) AS part FROM (
          SELECT w.${key}, ${each} AS added FROM (
            SELECT w.${key}, w.place, w.frequency, ${norm} AS norm FROM (${holders}) w, total
          ) w JOIN worth e USING (place) ORDER BY w.${key}, e.place
        ) w GROUP BY ${key}
      )`;
    const those = sql`CROSS JOIN LATERAL (${passing} LIMIT 1) ${raw(alias)}`;
    const first = sql`(SELECT * FROM parts ORDER BY part DESC, ${key} ${order}) ranked ${those}`;
    const common = rarest.common(count);
    if (common.words.length === 0)
      return sql`${parts} SELECT ${columns}, ranked.${key} AS number, ranked.part AS score FROM ${first} LIMIT ${limit}`;
    const more = common.words.map(
      (word) =>
        sql`COALESCE(${added(sql`(SELECT idf FROM worth WHERE term = ${word})`, sql`w.frequencies[array_position(w.words, ${word})]`)}, 0)`,
    );
    return sql`${parts}, least AS MATERIALIZED (
        SELECT part FROM ${first} OFFSET ${limit - 1} LIMIT 1
      ), likely AS MATERIALIZED (
        SELECT w.${key}, part + ${joined(more, ' + ')} AS about FROM (
          SELECT w.*, p.part, ${norm} AS norm FROM parts p JOIN ${from} w USING (${key}), total
          WHERE p.part >= COALESCE((SELECT part FROM least), 0) - ${common.most}::float8
        ) w
      )
      SELECT ${columns}, ranked.${key} AS number, (
        SELECT sum(added) FROM (
          SELECT ${each} AS added FROM (
            SELECT u.word, u.frequency, ${norm} AS norm
            FROM ${from} w, total, unnest(w.words, w.frequencies) AS u (word, frequency) WHERE w.${key} = ranked.${key}
          ) w JOIN worth e ON e.term = w.word ORDER BY e.place
        ) w
      ) AS score
      FROM (SELECT * FROM likely ORDER BY about DESC, ${key} ${order}) ranked ${those} LIMIT ${limit + SPARE}`;
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
