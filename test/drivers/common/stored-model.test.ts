/** A model keeps its number of dimensions. */
import { expect, it } from 'vitest';
import { fitting } from '../../../src/drivers/common/stored-model.ts';

it('accepts vectors of the same dimensions, and models that are not known yet', () => {
  const model = { key: 1, dimensions: 3 };
  expect(fitting(model, 'm', 3)).toBe(model);
  expect(fitting(undefined, 'm', 3)).toBeUndefined();
});

it('refuses vectors of other dimensions, and names both', () => {
  expect(() => fitting({ key: 1, dimensions: 3 }, 'm', 4)).toThrow(
    expect.objectContaining({ code: 'CONFLICT', details: { model: 'm', expected: 3, found: 4 } }),
  );
});
