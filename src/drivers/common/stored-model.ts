/** The embedding models whose vectors a store holds: one model, one number of dimensions. */
import { KeepsakeError } from '../../kernel/errors.ts';

export interface StoredModel {
  readonly key: number;
  readonly dimensions: number;
}

/** The model itself, or undefined when it is not known yet. Refuses vectors whose dimensions differ from those of the model. */
export function fitting(
  model: StoredModel | undefined,
  id: string,
  dimensions: number,
): StoredModel | undefined {
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
