/** Vectors of the next model in SQLite: in a table of their own, until one transaction puts them in the place of the others. */

import type { Database } from 'better-sqlite3';
import type { Unembedded, VectorDraft } from '../../../ports/record-store.ts';
import type { StagedProgress, StagedVectors, SwitchOutcome } from '../../../ports/staged-vectors.ts';
import { PARTITION_OF_ROW } from '../../common/partitions.ts';
import { toBlob, unitVector } from '../../common/vector-math.ts';
import type { GroupWriter } from '../group-writer.ts';
import { reading } from '../reading.ts';
import type { EmbeddingModels } from './embedding-models.ts';

/** Of the present text, of this model. */
const MADE = 'a.rid = r.rid AND a.model = @key AND a.version = r.version';

export class SqliteStagedVectors implements StagedVectors {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #models: EmbeddingModels;
  readonly #onSwitch: () => void;
  readonly #statements;

  constructor(database: Database, writer: GroupWriter, models: EmbeddingModels, onSwitch: () => void) {
    this.#database = database;
    this.#writer = writer;
    this.#models = models;
    this.#onSwitch = onSwitch;
    this.#statements = prepareStatements(database);
  }

  present(): Promise<string | null> {
    const { present, most } = this.#statements;
    return reading(this.#database, () => {
      const ids = present.all() as string[];
      // Counting them reads them all, so only where there is something to decide.
      return ids.length > 1 ? (most.get() as string) : (ids[0] ?? null);
    });
  }

  begin(model: string): Promise<StagedProgress> {
    const { dropOthers, progress } = this.#statements;
    return this.#writer.run(() => {
      const key = this.#keyOf(model);
      dropOthers.run(key);
      return progress.get({ key }) as StagedProgress;
    });
  }

  waiting(model: string, limit: number, after?: string): Promise<readonly Unembedded[]> {
    return reading(this.#database, () => {
      const query = { key: this.#keyOf(model), after: after ?? null, limit };
      return this.#statements.waiting.all(query) as Unembedded[];
    });
  }

  save(model: string, drafts: readonly VectorDraft[]): Promise<number> {
    return this.#writer.run(() => {
      let saved = 0;
      for (const { id, version, vector } of drafts) {
        const unit = unitVector({ model, vector });
        const { key } = this.#models.ensure(model, unit.length);
        saved += this.#statements.save.run({ id, version, key, vector: toBlob(unit) }).changes;
      }
      return saved;
    });
  }

  async switchTo(model: string, mostMissing: number): Promise<SwitchOutcome> {
    const outcome = await this.#writer.run(() => {
      const key = this.#keyOf(model);
      const { done, total } = this.#statements.progress.get({ key }) as StagedProgress;
      const missing = total - done;
      if (missing > mostMissing) return { switched: false, missing };
      const { clear, fill, enqueue, dropOthers } = this.#statements;
      for (const each of clear) each.run();
      fill.run({ key });
      enqueue.run();
      dropOthers.run(0);
      return { switched: true, missing };
    });
    if (outcome.switched) this.#onSwitch();
    return outcome;
  }

  async drop(): Promise<void> {
    await this.#writer.run(() => this.#statements.dropOthers.run(0));
  }

  /** No model has the key 0. */
  #keyOf(model: string): number {
    return this.#models.find(model)?.key ?? 0;
  }
}

function prepareStatements(database: Database) {
  return {
    present: database
      .prepare(
        'SELECT id FROM embedding_models m WHERE EXISTS (SELECT 1 FROM record_vectors v WHERE v.model = m.key)',
      )
      .pluck(),
    most: database
      .prepare(
        `SELECT m.id FROM record_vectors v JOIN embedding_models m ON m.key = v.model
         GROUP BY m.key ORDER BY count(*) DESC, m.key DESC LIMIT 1`,
      )
      .pluck(),
    dropOthers: database.prepare('DELETE FROM vectors_aside WHERE model <> ?'),
    progress: database.prepare(`SELECT
      (SELECT count(*) FROM records r JOIN vectors_aside a ON ${MADE} WHERE r.forgotten_at IS NULL) AS done,
      (SELECT count(*) FROM records WHERE forgotten_at IS NULL) AS total`),
    waiting: database.prepare(
      `SELECT r.id, r.version, r.content AS text FROM records r
       WHERE r.rid > coalesce((SELECT rid FROM records WHERE id = @after), 0) AND r.forgotten_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM vectors_aside a WHERE ${MADE})
       ORDER BY r.rid LIMIT +@limit`,
    ),
    save: database.prepare(
      `INSERT OR REPLACE INTO vectors_aside (rid, model, version, vector)
       SELECT rid, @key, version, @vector FROM records
       WHERE id = @id AND version = @version AND forgotten_at IS NULL`,
    ),
    clear: ['vector_gaps', 'vector_packs', 'record_vectors', 'embedding_queue'].map((table) =>
      database.prepare(`DELETE FROM ${table}`),
    ),
    fill: database.prepare(
      `INSERT INTO record_vectors (rid, model, version, silo, vector)
       SELECT a.rid, a.model, a.version, ${PARTITION_OF_ROW}, a.vector
       FROM vectors_aside a JOIN records r ON ${MADE} WHERE r.forgotten_at IS NULL ORDER BY a.rid`,
    ),
    enqueue: database.prepare(
      `INSERT INTO embedding_queue SELECT rid FROM records WHERE forgotten_at IS NULL
       AND rid NOT IN (SELECT rid FROM record_vectors)`,
    ),
  };
}
