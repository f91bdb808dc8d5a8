/** Asks Postgres for the texts that say most of a question's words, with scores by BM25 as SQLite's FTS5 has it. */
import { MOST, type RarestWords } from './rarest-words.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

/** Which tables and counters an index has. */
export interface IndexNames {
  readonly words: string;
  readonly terms: string;
  /** The column that says whose words they are. */
  readonly key: string;
  /** Counters of the transaction: how many texts there are, and how many words they have together. */
  readonly rowCount: string;
  readonly wordCount: string;
  /** Whether texts that are gone still count in these: SQLite's index of messages does so, and the order is to be the same. */
  readonly countsGone: boolean;
  /** Of texts with the same score. */
  readonly newestFirst: boolean;
  /** The table of the texts themselves, and what it is called in conditions and columns. */
  readonly texts: string;
  readonly alias: string;
}

export interface Best {
  readonly words: readonly string[];
  /** A condition on rows of words, as `w`. */
  readonly allowed: Sql;
  readonly limit: number;
  readonly columns: Sql;
  /** A condition on the texts themselves, by their alias. */
  readonly where: Sql;
}

/** Sums in another order differ in their last bits: so many more are weighed exactly. */
const SPARE = 32;
const NORM = raw(
  '1.2::float8 * ((1::float8 - 0.75::float8) + (0.75::float8 * w.length) / (total.words / total.texts)) AS norm',
);

const added = (idf: Sql, frequency: Sql): Sql =>
  sql`${idf} * ((${frequency} * (1.2::float8 + 1)) / (${frequency} + w.norm))`;
const ADDED = added(raw('e.idf'), raw('w.frequency'));

/** How many texts pass, counted no further than `most`. */
export const passing = ({ texts, alias }: IndexNames, where: Sql, most: number): Sql =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM ${raw(`${texts} ${alias}`)} WHERE ${where} LIMIT ${most}) few)`;

/** `words` are those of the question that any text holds; one that was asked for twice counts twice. */
function worth({ terms, rowCount, wordCount }: IndexNames, words: readonly string[]): Sql {
  return sql`
    WITH total AS MATERIALIZED (
      SELECT (counters::json ->> ${raw(`'${rowCount}'`)})::float8 AS texts,
        (counters::json ->> ${raw(`'${wordCount}'`)})::float8 AS words
      FROM lanes WHERE name = 'memory'
    ), worth AS MATERIALIZED (
      SELECT term, place, first, CASE WHEN idf <= 0 THEN 1e-6::float8 ELSE idf END AS idf FROM (
        SELECT term, place, array_position(${words}::text[], term) AS first,
          ln((texts - holders + 0.5::float8) / (holders + 0.5::float8)) AS idf
        FROM unnest(${words}::text[]) WITH ORDINALITY AS asked (term, place) JOIN ${raw(terms)} USING (term), total
      ) known
    )`;
}

/** For a question that took words to be worth so much: how long texts are now, and by how much they may score more. */
export function sinceThen(rarities: ReadonlyMap<string, number>): Sql {
  const [terms, then] = [[...rarities.keys()], [...rarities.values()]];
  return sql`(SELECT words / texts FROM total) AS typical,
    (SELECT ${MOST}::float8 * COALESCE(sum(greatest(0, e.idf - t.idf)), 0)
     FROM worth e JOIN unnest(${terms}::text[], ${then}::float8[]) AS t (term, idf) USING (term)) AS dearer`;
}

/** The score of one text by all words, to the last bit: sums and roundings come in the same order. */
const exactly = ({ key, words }: IndexNames, of: Sql): Sql => sql`(
  SELECT sum(added) FROM (
    SELECT ${ADDED} AS added FROM (
      SELECT u.word, u.frequency, ${NORM}
      FROM ${raw(words)} w, total, unnest(w.words, w.frequencies) AS u (word, frequency) WHERE w.${raw(key)} = ${of}
    ) w JOIN worth e ON e.term = w.word ORDER BY e.place
  ) w
)`;

/** Those of `ranked` that pass, with their columns. */
const those = ({ key, texts, alias }: IndexNames, where: Sql): Sql => {
  const [from, name] = [raw(`${texts} ${alias}`), raw(alias)];
  return sql`CROSS JOIN LATERAL (
    SELECT * FROM ${from} WHERE ${name}.${raw(key)} = ranked.${raw(key)} AND ${where} LIMIT 1
  ) ${name}`;
};

const inOrder = (names: IndexNames, table: string, score: string): Sql =>
  raw(
    `(SELECT * FROM ${table} ORDER BY ${score} DESC, ${names.key} ${names.newestFirst ? 'DESC' : 'ASC'}) ranked`,
  );

/** Those that pass. */
const passingKeys = ({ key, texts, alias }: IndexNames, where: Sql): Sql =>
  sql`SELECT ${raw(`${alias}.${key} FROM ${texts} ${alias}`)} WHERE ${where}`;

/** Few pass, or few are asked about: each of them is weighed. */
export function amongFew(names: IndexNames, best: Best, few: Sql = passingKeys(names, best.where)): Sql {
  const { words, limit, columns, where } = best;
  const [key, from] = [raw(names.key), raw(names.words)];
  return sql`${worth(names, words)}, few AS MATERIALIZED (${few}), weighed AS MATERIALIZED (
      SELECT few.${key}, ${exactly(names, sql`few.${key}`)} AS score
      FROM few JOIN ${from} w USING (${key}) WHERE w.words && ${words}::text[]
    )
    SELECT ${columns}, ranked.${key} AS number, ranked.score
    FROM ${inOrder(names, 'weighed', 'score')} ${those(names, where)} LIMIT ${limit}`;
}

/**
 * Many pass: those that hold a rare word are put in order by what those words say. Whoever the common words may still
 * bring to the front is weighed by these, too, and the best by all words once more, exactly.
 */
export function amongMany(names: IndexNames, best: Best, rarest: RarestWords, count: number): Sql {
  const { words, allowed, limit, columns, where } = best;
  const [key, from] = [raw(names.key), raw(names.words)];
  // Each word by itself: the index tells who holds it, and no row is searched for words that it does not hold.
  const holders = joined(
    rarest.rarest(count).map(
      (word) => sql`SELECT w.${key}, w.length, ${raw(String(words.indexOf(word) + 1))} AS first,
        w.frequencies[array_position(w.words, ${word})] AS frequency
        FROM ${from} w WHERE w.words @> ARRAY[${word}]::text[] AND ${allowed}`,
    ),
    ' UNION ALL ',
  );
  const parts = sql`${worth(names, words)}, parts AS MATERIALIZED (
      SELECT ${key}, sum(added) AS part FROM (
        SELECT w.${key}, ${ADDED} AS added FROM (
          SELECT w.${key}, w.first, w.frequency, ${NORM} FROM (${holders}) w, total
        ) w JOIN worth e USING (first) ORDER BY w.${key}, e.place
      ) w GROUP BY ${key}
    )`;
  const first = sql`${inOrder(names, 'parts', 'part')} ${those(names, where)}`;
  const common = rarest.common(count);
  if (common.words.length === 0)
    return sql`${parts} SELECT ${columns}, ranked.${key} AS number, ranked.part AS score FROM ${first} LIMIT ${limit}`;
  const rest = new Set(common.words);
  const more = words
    .filter((word) => rest.has(word))
    .map((word) => {
      const [idf, frequency] = [
        sql`(SELECT idf FROM worth WHERE term = ${word} LIMIT 1)`,
        sql`w.frequencies[array_position(w.words, ${word})]`,
      ];
      return sql`COALESCE(${added(idf, frequency)}, 0)`;
    });
  return sql`${parts}, least AS MATERIALIZED (
      SELECT part FROM ${first} OFFSET ${limit - 1} LIMIT 1
    ), likely AS MATERIALIZED (
      SELECT w.${key}, part + ${joined(more, ' + ')} AS about FROM (
        SELECT w.*, p.part, ${NORM} FROM parts p JOIN ${from} w USING (${key}), total
        WHERE p.part >= COALESCE((SELECT part FROM least), 0) - ${common.most}::float8
      ) w
    )
    SELECT ${columns}, ranked.${key} AS number, ${exactly(names, sql`ranked.${key}`)} AS score
    FROM ${inOrder(names, 'likely', 'about')} ${those(names, where)} LIMIT ${limit + SPARE}`;
}
