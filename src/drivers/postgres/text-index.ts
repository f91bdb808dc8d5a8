/** Text search in Postgres with an inverted index over our own terms. */
import type { WeighedText } from '../common/term-weights.ts';
import { type Holders, RarestWords } from './rarest-words.ts';
import type { Session } from './session.ts';
import { raw, type Sql, sql } from './sql.ts';
import { amongFew, amongMany, type Best, type IndexNames, passing } from './text-question.ts';
import type { WriteTransaction } from './write-transaction.ts';

interface Difference {
  readonly word: string;
  readonly by: 1 | -1;
}

interface Scored {
  readonly number: number;
  readonly score: number;
}

/** When no more texts than these pass, each of them is weighed: that takes some ten milliseconds. */
const FEW = 1_000;

export class TextIndex {
  readonly #names: IndexNames;
  readonly #update: (transaction: WriteTransaction, differences: readonly Difference[]) => Promise<void>;

  constructor(names: IndexNames) {
    this.#names = names;
    this.#update = (transaction, differences) => this.#countHolders(transaction, differences);
  }

  /** Counts a text whose words were put into the table; `length` is that of the row. */
  added(transaction: WriteTransaction, { words }: Pick<WeighedText, 'words'>, length: number): void {
    this.#count(transaction, words, length, 1);
  }

  removed(transaction: WriteTransaction, { words }: Pick<WeighedText, 'words'>, length: number): void {
    this.#count(transaction, words, length, -1);
  }

  /** When all words were taken out at once. */
  reset(transaction: WriteTransaction): void {
    transaction.set(this.#names.rowCount, 0);
    transaction.set(this.#names.wordCount, 0);
  }

  /** The texts that hold any of the words, best first, and only those that pass. */
  async best<Row>(database: Pick<Session, 'rows'>, best: Best): Promise<(Row & { score: number })[]> {
    const { known, texts, few } = await this.#holders(database, best);
    if (known.length === 0) return [];
    const held = new Set(known.map(({ term }) => term));
    const asked = { ...best, words: best.words.filter((word) => held.has(word)) };
    if (few <= FEW) return this.#found<Row>(await database.rows(amongFew(this.#names, asked)), asked);
    const rarest = new RarestWords(known, texts, best.limit);
    for (let count = rarest.start(); ; ) {
      const rows = await database.rows<Row & Scored>(amongMany(this.#names, asked, rarest, count));
      const found = this.#found<Row>(rows, asked);
      const scores = found.map(({ score }) => score);
      const next = rarest.next(count, scores);
      if (next === undefined) return found;
      count = next;
    }
  }

  /** The same of few texts that are known already; `few` selects their keys. */
  async bestOf<Row>(
    database: Pick<Session, 'rows'>,
    best: Best,
    few: Sql,
  ): Promise<(Row & { score: number })[]> {
    return this.#found<Row>(await database.rows(amongFew(this.#names, best, few)), best);
  }

  #found<Row>(rows: (Row & Scored)[], { limit }: Best): (Row & { score: number })[] {
    const later = this.#names.newestFirst ? -1 : 1;
    return rows
      .sort((a, b) => b.score - a.score || later * (a.number - b.number))
      .slice(0, limit)
      .map(({ number: _, ...row }) => row as unknown as Row & { score: number });
  }

  async #holders(
    database: Pick<Session, 'rows'>,
    { words, where }: Best,
  ): Promise<{ known: Holders[]; texts: number; few: number }> {
    const { terms, rowCount } = this.#names;
    const rows = await database.rows<Holders & { texts: number; few: number }>(
      sql`SELECT t.term, t.holders, (l.counters::json ->> ${raw(`'${rowCount}'`)})::float8 AS texts,
            ${passing(this.#names, where, FEW + 1)} AS few
          FROM ${raw(terms)} t, lanes l WHERE t.term = ANY(${words}::text[]) AND l.name = 'memory'`,
    );
    const known = rows.map(({ term, holders }) => ({
      ...{ term, holders },
      times: words.filter((word) => word === term).length,
    }));
    return { known, texts: rows[0]?.texts ?? 0, few: rows[0]?.few ?? 0 };
  }

  #count(transaction: WriteTransaction, words: readonly string[], length: number, by: 1 | -1): void {
    if (by === 1 || !this.#names.countsGone) {
      transaction.count(this.#names.rowCount, by);
      transaction.count(this.#names.wordCount, by * length);
    }
    transaction.defer(
      this.#update,
      words.map((word) => ({ word, by })),
    );
  }

  /** Words that nobody holds any more go: they may be all that is left of a text that was forgotten. */
  async #countHolders(transaction: WriteTransaction, differences: readonly Difference[]): Promise<void> {
    const sums = new Map<string, number>();
    for (const { word, by } of differences) sums.set(word, (sums.get(word) ?? 0) + by);
    const changed = [...sums].filter(([, by]) => by !== 0);
    if (changed.length === 0) return;
    const terms = raw(this.#names.terms);
    await transaction.run(
      sql`INSERT INTO ${terms} AS t (term, holders)
          SELECT * FROM unnest(${changed.map(([word]) => word)}::text[], ${changed.map(([, by]) => by)}::int[])
          ON CONFLICT (term) DO UPDATE SET holders = t.holders + excluded.holders`,
    );
    const fewer = changed.filter(([, by]) => by < 0).map(([word]) => word);
    if (fewer.length > 0)
      await transaction.run(sql`DELETE FROM ${terms} WHERE term = ANY(${fewer}::text[]) AND holders <= 0`);
  }
}
