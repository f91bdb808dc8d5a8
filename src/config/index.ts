/** Configuration: the schema of keepsake.jsonc and how it is loaded. */
export { HISTORY_LIMITS, type HistoryLevel } from './blocks.ts';
export {
  type AiSdkEmbedding,
  type EmbeddingEntry,
  type EmbeddingPlace,
  embeddingId,
  listEmbeddings,
  openEmbedding,
  openStoredEmbedding,
  type PullEmbeddingOptions,
  pullEmbedding,
} from './embedding.ts';
export {
  ENVIRONMENT,
  type Environment,
  type EnvironmentVariable,
  WORKSPACE_VARIABLE,
} from './environment.ts';
export {
  type AiSdkLanguageModel,
  estimateCost,
  type LanguageModelInput,
  type LanguagePlace,
  type OpenModelsOptions,
  openLanguageModel,
  openModels,
} from './language.ts';
export { readLanguageChoice } from './language-choice.ts';
export { openTokenModel } from './late-interaction.ts';
export {
  CONFIG_FILES,
  configFilesIn,
  type LoadedConfig,
  type LoadOptions,
  loadConfig,
  parseConfig,
  readEnvironment,
} from './load.ts';
export { type ConfigProblem, hintFor, type Place } from './problems.ts';
export { examineStorage, openFileLock, openStorage, restoreStorage } from './registry.ts';
export { type AiSdkReranker, openReranker } from './reranker.ts';
export { type AgentConfig, type Config, type ConfigInput, resolveAgentConfig } from './schema.ts';
export {
  DEFAULT_DATABASE,
  type DriverName,
  STORES,
  type StorageConfig,
  type StoreChoice,
  type StoreName,
} from './storage.ts';
export {
  configuredPlace,
  describePlace,
  isStorageThere,
  openStoragePlace,
  placeAsConfig,
  readStoragePlace,
  type StoragePlace,
  setPlaceAside,
} from './storage-place.ts';
export { parseDuration } from './value-types.ts';
