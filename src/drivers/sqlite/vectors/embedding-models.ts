/** The models whose vectors a database holds, each with the number of dimensions it came with. */
import type { Database } from 'better-sqlite3';
import { fitting, type StoredModel } from '../../common/stored-model.ts';

export class EmbeddingModels {
  readonly #find;
  readonly #insert;

  constructor(database: Database) {
    this.#find = database.prepare('SELECT key, dimensions FROM embedding_models WHERE id = ?');
    this.#insert = database.prepare('INSERT INTO embedding_models (id, dimensions) VALUES (?, ?)');
  }

  find(id: string): StoredModel | undefined {
    return this.#find.get(id) as StoredModel | undefined;
  }

  /** Undefined when the model is not known yet. */
  fitting(id: string, dimensions: number): StoredModel | undefined {
    return fitting(this.find(id), id, dimensions);
  }

  /** Inside a transaction that writes. */
  ensure(id: string, dimensions: number): StoredModel {
    const model = this.fitting(id, dimensions);
    if (model !== undefined) return model;
    return { key: Number(this.#insert.run(id, dimensions).lastInsertRowid), dimensions };
  }
}
