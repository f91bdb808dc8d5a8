/** The models whose vectors a database holds, each with the number of dimensions it came with. */
import { fitting, type StoredModel } from '../../common/stored-model.ts';
import { type Asking, sql } from '../sql.ts';

export function findModel(session: Asking, id: string): Promise<StoredModel | undefined> {
  return session.row<StoredModel>(sql`SELECT key, dimensions FROM embedding_models WHERE id = ${id}`);
}

/** Undefined when the model is not known yet. */
export async function fittingModel(
  session: Asking,
  id: string,
  dimensions: number,
): Promise<StoredModel | undefined> {
  return fitting(await findModel(session, id), id, dimensions);
}

/** A model keeps its key and its dimensions forever: what was looked up once need not be looked up for each search. */
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
