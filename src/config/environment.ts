/** The one table of environment variables that change the configuration. */

import type { KeyPath } from './json-schema.ts';
import { nearestName } from './nearest.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentVariable {
  readonly name: string;
  readonly path: readonly string[];
  /** Text to value. What cannot be read stays text, and the schema says what it expected instead. */
  readonly read: (text: string) => unknown;
}

const TRUTH: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

const text = (value: string): unknown => value;
const flag = (value: string): unknown => TRUTH[value.toLowerCase()] ?? value;
const number = (value: string): unknown => (/^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value);
const textOrFalse = (value: string): unknown => (flag(value) === false ? false : value);

function variable(name: string, path: string, read: EnvironmentVariable['read']): EnvironmentVariable {
  return { name, path: path.split('.'), read };
}

/** The `MEMORY_` names are documented ones; all others are KEEPSAKE_ and the path of the key. */
export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  variable('MEMORY_RECENCY_HALF_LIFE_DAYS', 'ranking.recencyHalfLifeDays', number),
  variable('MEMORY_ACCESS_BOOST_MAX', 'ranking.accessBoostMax', number),
  variable('MEMORY_ACCESS_RECENCY_HOURS', 'ranking.accessRecencyHours', number),
  variable('MEMORY_CANDIDATE_MULTIPLIER', 'ranking.candidateMultiplier', number),
  variable('KEEPSAKE_NAME', 'name', text),
  variable('KEEPSAKE_MEMORY_ENABLED', 'memory.enabled', flag),
  variable('KEEPSAKE_MEMORY_DRY_RUN', 'memory.dryRun', flag),
  variable('KEEPSAKE_MEMORY_READ_ONLY', 'memory.readOnly', flag),
  variable('KEEPSAKE_HISTORY', 'history', textOrFalse),
  variable('KEEPSAKE_PERSISTENT_MEMORY', 'persistentMemory', flag),
  variable('KEEPSAKE_CONTEXT_COMPRESSION', 'contextCompression', flag),
  variable('KEEPSAKE_STORAGE_DRIVER', 'storage.driver', text),
  variable('KEEPSAKE_STORAGE_URL', 'storage.url', text),
  variable('KEEPSAKE_STORAGE_RECORDS_URL', 'storage.records.url', text),
  variable('KEEPSAKE_STORAGE_LOG_URL', 'storage.log.url', text),
  variable('KEEPSAKE_STORAGE_STATE_DRIVER', 'storage.state.driver', text),
  variable('KEEPSAKE_STORAGE_STATE_URL', 'storage.state.url', text),
  variable('KEEPSAKE_STORAGE_EVENTS_URL', 'storage.events.url', text),
  variable('KEEPSAKE_STORAGE_VECTORS_URL', 'storage.vectors.url', text),
  variable('KEEPSAKE_STORAGE_VECTORS_API_KEY', 'storage.vectors.apiKey', text),
  variable('KEEPSAKE_STORAGE_POSTGRES_SEARCH_MEMORY_MB', 'storage.postgres.searchMemoryMb', number),
  variable('KEEPSAKE_STORAGE_SQLITE_FILE', 'storage.sqlite.file', text),
  variable('KEEPSAKE_STORAGE_SQLITE_BUSY_TIMEOUT_MS', 'storage.sqlite.busyTimeoutMs', number),
  variable('KEEPSAKE_STORAGE_SQLITE_VECTOR_SEARCH', 'storage.sqlite.vectorSearch', text),
  variable('KEEPSAKE_SERVER_FOLDERS', 'server.folders', text),
  variable('KEEPSAKE_MODELS_MAIN', 'models.main', text),
  variable('KEEPSAKE_MODELS_LIGHT', 'models.light', text),
  variable('KEEPSAKE_MODELS_LOCAL', 'models.local', text),
  variable('KEEPSAKE_MODELS_HEAVY', 'models.heavy', text),
  variable('KEEPSAKE_MODELS_BASE_URL', 'models.baseUrl', text),
  variable('KEEPSAKE_MODELS_TIMEOUT_MS', 'models.timeoutMs', number),
  variable('KEEPSAKE_MODELS_RETRIES', 'models.retries', number),
  variable('KEEPSAKE_MODELS_EMBEDDING', 'models.embedding', text),
  variable('KEEPSAKE_MODELS_EMBEDDING_URL', 'models.embeddingUrl', text),
  variable('KEEPSAKE_MODELS_RERANKER', 'models.reranker', text),
  variable('KEEPSAKE_MODELS_RERANKER_URL', 'models.rerankerUrl', text),
  variable('KEEPSAKE_MODELS_LATE_INTERACTION', 'models.lateInteraction', text),
];

/** Names the workspace, and wins over a configuration file in a folder above. */
export const WORKSPACE_VARIABLE = 'KEEPSAKE_WORKSPACE';

export function variableFor(path: KeyPath): string | undefined {
  const key = path.map(String).join('.');
  return ENVIRONMENT.find((entry) => entry.path.join('.') === key)?.name;
}

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let block = target;
  for (const key of path.slice(0, -1)) {
    block[key] ??= {};
    block = block[key] as Record<string, unknown>;
  }
  block[path.at(-1)!] = value;
}

/** The settings that the environment makes. An empty variable counts as one that is not set. */
export function environmentSettings(env: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const { name, path, read } of ENVIRONMENT) {
    const value = env[name]?.trim();
    if (value) setAt(settings, path, read(value));
  }
  return settings;
}

/** A misspelt variable would be without effect and without a word; one that resembles none of ours is not ours. */
export function environmentWarnings(env: Environment): string[] {
  const known = [...ENVIRONMENT.map(({ name }) => name), WORKSPACE_VARIABLE];
  const strangers = Object.keys(env).filter(
    (name) => /^(KEEPSAKE|MEMORY)_/.test(name) && !known.includes(name),
  );
  return strangers.sort().flatMap((name) => {
    const suggestion = closeVariable(name, known);
    return suggestion === undefined
      ? []
      : [`environment variable ${name} has no effect; did you mean ${suggestion}?`];
  });
}

function closeVariable(name: string, known: readonly string[]): string | undefined {
  // Without the common beginning, so that KEEPSAKE_API_KEY is not taken for KEEPSAKE_NAME.
  const prefix = name.slice(0, name.indexOf('_') + 1);
  const rest = known
    .filter((candidate) => candidate.startsWith(prefix))
    .map((candidate) => candidate.slice(prefix.length));
  const near = nearestName(name.slice(prefix.length), rest);
  return near === undefined ? undefined : prefix + near;
}
