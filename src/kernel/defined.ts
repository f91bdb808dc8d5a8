/** Drops the properties whose value is undefined, for objects whose optional properties must be absent rather than undefined. */
export function defined<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  const kept: { [Key in keyof Values]?: Exclude<Values[Key], undefined> } = {};
  for (const key in values)
    if (values[key] !== undefined) kept[key] = values[key] as Exclude<(typeof values)[typeof key], undefined>;
  return kept;
}
