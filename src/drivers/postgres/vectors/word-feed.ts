/** Feeds an external word index, and scores the texts that it finds. */
import type { TextQuery } from '../../../ports/record-store.ts';
import type { Among, BestAmong, WordFeed, WordsPosition } from '../../../ports/word-feed.ts';
import type { Database } from '../database.ts';
import type { GroupWriter } from '../group-writer.ts';
import { rarityOf } from '../rarest-words.ts';
import { recordIndex } from '../record-index.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from '../record-rows.ts';
import { recordWhere } from '../record-where.ts';
import { raw, sql } from '../sql.ts';
import { sinceThen } from '../text-question.ts';
import { decodeText } from '../text-values.ts';
import { attachIn, type PositionRow, positionColumns, toPosition } from './feed-position.ts';

interface Texts {
  readonly texts: number;
  readonly words: number;
}

type WordsRow = PositionRow &
  Texts & {
    readonly vectorless: number;
    readonly models: readonly (readonly [id: string, dimensions: number])[] | null;
    readonly terms: readonly string[];
    readonly holders: readonly number[];
  };

type FoundRow = RecordRow & { readonly typical: number; readonly dearer: number };

const TOTAL = raw(`SELECT COALESCE((counters::json ->> 'indexedRecords')::float8, 0) AS texts,
  COALESCE((counters::json ->> 'recordWords')::float8, 0) AS words FROM lanes WHERE name = 'memory'`);
/** Those that have a vector, of which one is looked for. */
const MODELS = raw(`SELECT json_agg(json_build_array(m.id, m.dimensions)) FROM embedding_models m
  WHERE (SELECT v.silo FROM record_vectors v WHERE v.model = m.key ORDER BY v.silo LIMIT 1) IS NOT NULL`);

const lengthOf = ({ texts, words }: Texts): number => (texts > 0 ? words / texts : 0);

export class PostgresWordFeed implements WordFeed {
  readonly #database: Database;
  readonly #writer: GroupWriter;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  async typical(): Promise<{ readonly texts: number; readonly length: number }> {
    const row = (await this.#database.row<Texts>(TOTAL))!;
    return { texts: row.texts, length: lengthOf(row) };
  }

  async position(terms: readonly string[], limit: number): Promise<WordsPosition | undefined> {
    const row = await this.#database.row<WordsRow>(
      sql`WITH known AS MATERIALIZED (SELECT term, holders FROM record_terms WHERE term = ANY(${terms}::text[]))
          SELECT ${positionColumns(limit)}, (${MODELS}) AS models, total.texts, total.words,
            (SELECT count(*) FROM (SELECT 1 FROM embedding_queue LIMIT ${limit}) queue) AS vectorless,
            ARRAY(SELECT term FROM known ORDER BY term) AS terms,
            ARRAY(SELECT holders FROM known ORDER BY term) AS holders
          FROM vector_feed f, (${TOTAL}) total`,
      { keepsPlans: true },
    );
    if (row === undefined) return undefined;
    const [model, ...others] = row.models ?? [];
    const rarities = row.terms.map((term, i) => [term, rarityOf(row.holders[i]!, row.texts)] as const);
    return {
      ...toPosition(row),
      model:
        model === undefined || others.length > 0
          ? undefined
          : { id: decodeText(model[0]), dimensions: model[1] },
      vectorless: row.vectorless,
      rarities: new Map(rarities),
      typicalLength: lengthOf(row),
    };
  }

  async bestAmong(query: TextQuery, { changes, ids, since, rarities }: Among): Promise<BestAmong> {
    const { viewer, now, filter, terms, limit } = query;
    const best = {
      words: [...new Set(terms)],
      allowed: raw('TRUE'),
      limit,
      columns: sql`${RECORD_COLUMNS}, ${sinceThen(rarities)}`,
      where: recordWhere(viewer, filter, ['live'], now),
    };
    const rows = await recordIndex.bestOf<FoundRow>(
      this.#database,
      best,
      sql`SELECT rid FROM vector_changes WHERE change = ANY(${changes}::bigint[])
          UNION SELECT rid FROM vector_changes WHERE change > ${since}
          UNION SELECT rid FROM records WHERE id = ANY(${ids}::text[]) UNION SELECT rid FROM embedding_queue`,
    );
    return {
      candidates: rows.map(({ score, typical: _, dearer: __, ...row }) => ({
        record: toRecord(row, now),
        textScore: score,
      })),
      typicalLength: rows[0]?.typical ?? 0,
      dearer: rows[0]?.dearer ?? 0,
    };
  }

  async renew(identity: string): Promise<void> {
    await this.#writer.run(async (transaction) => {
      const ended = await transaction.run(sql`DELETE FROM vector_feed WHERE identity = ${identity}`);
      if (ended === 0) return;
      await transaction.run(sql`DELETE FROM vector_changes`);
      await attachIn(transaction);
    });
  }
}
