/** Settings of an agent file that keepsake.jsonc also has, validated with the schema of keepsake.jsonc. */
import { type Config, type ConfigProblem, type HistoryLevel, parseConfig } from '../../config/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { KeyPath } from './frontmatter.ts';

export interface ConfiguredSettings {
  readonly model?: string;
  readonly light?: string;
  readonly history?: HistoryLevel;
  readonly memory?: Partial<Config['memory']>;
  /** Whether MEMORY.md is kept and sent. */
  readonly persistentMemory?: boolean;
}

export interface ConfiguredProblem {
  readonly path: KeyPath;
  readonly message: string;
  readonly suggestion?: string;
}

/** YAML of today takes "off" and "no" for texts, YAML of old for false; people write both. */
const SWITCHES: Readonly<Record<string, boolean>> = { on: true, yes: true, off: false, no: false };

function switched(value: unknown): unknown {
  return typeof value === 'string' ? (SWITCHES[value.toLowerCase()] ?? value) : value;
}

/** `provider` and `name` may stand in a block of their own. */
function modelName(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { provider, name, ...rest } = given as Record<string, unknown>;
  const isBlock = typeof provider === 'string' && typeof name === 'string' && Object.keys(rest).length === 0;
  return isBlock ? `${provider}/${name}` : given;
}

function without<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Keys of the file by what the configuration calls them. */
const RENAMED: Readonly<Record<string, string>> = { 'models.main': 'model', 'models.light': 'light' };
const PREFIX = /^agents\.agent\.?/;

function toProblem({ path, message, suggestion }: ConfigProblem): ConfiguredProblem {
  const key = path.replace(PREFIX, '');
  return { path: (RENAMED[key] ?? key).split('.'), message, ...without({ suggestion }) };
}

export function readConfigured(settings: Readonly<Record<string, unknown>>): {
  readonly value: ConfiguredSettings;
  readonly problems: readonly ConfiguredProblem[];
} {
  const memory = switched(settings.memory);
  const given = without({
    history: switched(settings.history),
    memory: typeof memory === 'boolean' ? { enabled: memory } : memory,
    persistentMemory: switched(settings.persistentMemory),
    models: without({ main: modelName(settings.model), light: modelName(settings.light) }),
  });
  try {
    const {
      history,
      memory: own,
      models,
      persistentMemory,
    } = parseConfig({ agents: { agent: given as object } }).agents.agent!;
    const value = without({
      history,
      memory: own && without(own),
      model: models?.main,
      light: models?.light,
      persistentMemory,
    });
    return { value: value as ConfiguredSettings, problems: [] };
  } catch (error) {
    if (!KeepsakeError.is(error) || error.code !== 'INVALID_CONFIG') throw error;
    const problems = error.details.problems as readonly ConfigProblem[];
    return { value: {}, problems: problems.map(toProblem) };
  }
}
