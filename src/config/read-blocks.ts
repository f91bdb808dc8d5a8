/** Reads settings block by block, so that only the schemas of the blocks that are set have to be built. */
import { DEFAULTS } from './defaults.ts';
import { isBlock } from './merge.ts';
import { type Config, configFields } from './schema.ts';

/** The whole schema compares these two with each other. */
const COMPARED = ['knowledge', 'agents'];

/** The same as the whole schema says, or undefined where only that one can judge: for these two, and to name what is wrong. */
export function readBlocks(settings: unknown): Config | undefined {
  if (!isBlock(settings)) return undefined;
  const keys = Object.keys(settings);
  if (keys.some((key) => !Object.hasOwn(configFields, key) || COMPARED.includes(key))) return undefined;
  const defaults: Readonly<Record<string, unknown>> = structuredClone(DEFAULTS);
  const read: [string, unknown][] = [];
  for (const [key, field] of Object.entries(configFields)) {
    if (keys.includes(key)) {
      const result = field.safeParse(settings[key], { jitless: true });
      if (!result.success) return undefined;
      read.push([key, result.data]);
    } else if (Object.hasOwn(defaults, key)) read.push([key, defaults[key]]);
  }
  return Object.fromEntries(read) as Config;
}
