/** Merges settings: blocks are merged key by key, other values are replaced. */

export type Settings = Record<string, unknown>;

export function isBlock(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Later layers win. A key that is undefined says nothing; one that is null says null. */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  const merged: Settings = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined || key === '__proto__') continue;
      const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
      merged[key] = isBlock(value) ? mergeSettings(isBlock(below) ? below : {}, value) : value;
    }
  }
  return merged;
}

export function hasPath(settings: unknown, path: readonly PropertyKey[]): boolean {
  let value = settings;
  for (const key of path) {
    if (!isBlock(value) || !Object.hasOwn(value, key)) return false;
    value = value[String(key)];
  }
  return value !== undefined;
}
