/** The models whose vectors a database holds, each with the number of dimensions it came with. */
import { KeepsakeError } from '../../../kernel/errors.ts';
import { type Asking, sql } from '../sql.ts';

export interface StoredModel {
  readonly key: number;
  readonly dimensions: number;
}

export function findModel(session: Asking, id: string): Promise<StoredModel | undefined> {
  return session.row<StoredModel>(sql`SELECT key, dimensions FROM embedding_models WHERE id = ${id}`);
}

/** Undefined when the model is not known yet; vectors of other dimensions than its own are refused. */
export async function fittingModel(
  session: Asking,
  id: string,
  dimensions: number,
): Promise<StoredModel | undefined> {
  const model = await findModel(session, id);
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

/** A model keeps its key and its dimensions for ever: what was looked up once need not be looked up for each search. */
export class KnownModels {
  readonly #asking: Asking;
  readonly #known = new Map<string, StoredModel>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** As above. */
  async fitting(id: string, dimensions: number): Promise<StoredModel | undefined> {
    const known = this.#known.get(id);
    if (known?.dimensions === dimensions) return known;
    const model = await fittingModel(this.#asking, id, dimensions);
    if (model !== undefined) this.#known.set(id, model);
    return model;
  }
}

/** Inside a transaction that writes. */
export async function ensureModel(session: Asking, id: string, dimensions: number): Promise<StoredModel> {
  const model = await fittingModel(session, id, dimensions);
  if (model !== undefined) return model;
  const added = await session.row<StoredModel>(
    sql`INSERT INTO embedding_models (id, dimensions) VALUES (${id}, ${dimensions}) RETURNING key, dimensions`,
  );
  return added!;
}
