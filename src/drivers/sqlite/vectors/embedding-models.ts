/** The models whose vectors a database holds, each with the number of dimensions it came with. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';

export interface StoredModel {
  readonly key: number;
  readonly dimensions: number;
}

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

  /** Undefined when the model is not known yet; vectors of other dimensions than its own are refused. */
  fitting(id: string, dimensions: number): StoredModel | undefined {
    const model = this.find(id);
    if (model === undefined || model.dimensions === dimensions) return model;
    throw new KeepsakeError(
      'CONFLICT',
      `Vectors of ${id} have ${model.dimensions} dimensions here, not ${dimensions}.`,
      {
        hint: 'A model that gives other vectors is another model: give it an id of its own, and run "keepsake re-embed".',
        details: { model: id, expected: model.dimensions, found: dimensions },
      },
    );
  }

  /** Inside a transaction that writes. */
  ensure(id: string, dimensions: number): StoredModel {
    const model = this.fitting(id, dimensions);
    if (model !== undefined) return model;
    return { key: Number(this.#insert.run(id, dimensions).lastInsertRowid), dimensions };
  }
}
