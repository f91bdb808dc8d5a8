/** Lets typed arrays grow. */

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** The array itself, or a longer copy of it, so that `index` exists. */
export function withRoomFor<T extends Column>(column: T, index: number): T {
  if (index < column.length) return column;
  const larger = new (column.constructor as new (length: number) => T)(
    Math.max(index + 1, 2 * column.length),
  );
  larger.set(column);
  return larger;
}
