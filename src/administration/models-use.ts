/** Sets the embedding model of a workspace in its configuration file. */

import { existsSync } from 'node:fs';
import {
  type EmbeddingEntry,
  type EmbeddingPlace,
  embeddingId,
  listEmbeddings,
  openStorage,
  parseConfig,
  readEnvironment,
} from '../config/index.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { writeSetting } from './config-set.ts';
import { type LocatedWorkspace, locate, type WorkspaceTarget } from './target.ts';

export interface UseModelOptions extends WorkspaceTarget {
  readonly name: string;
}

export interface UsedModel {
  readonly name: string;
  /** The model before. */
  readonly previous: string;
  readonly changed: boolean;
  readonly file: string;
  readonly model: EmbeddingEntry;
  /** The model whose vectors are there, which search uses; null when there are none, undefined when nobody can tell. */
  readonly vectors?: string | null;
  /** Whether they are those of the model that is chosen now. */
  readonly inUse: boolean;
  /** The variable that still overrides the file. */
  readonly overriddenBy?: string;
}

const VARIABLE = 'KEEPSAKE_MODELS_EMBEDDING';
const PATH = ['models', 'embedding'];

/** The model of that name, with what it needs; anything that is not the name of a model is refused. */
async function lookUp(
  name: string,
  place: Omit<EmbeddingPlace, 'models'>,
  url?: string,
): Promise<EmbeddingEntry> {
  try {
    const { models } = parseConfig({
      models: { embedding: name, ...defined({ embeddingUrl: url }) },
    });
    const entries = await listEmbeddings({ ...place, models });
    return entries.find(({ active }) => active)!;
  } catch (cause) {
    if (!KeepsakeError.is(cause) || cause.code !== 'INVALID_CONFIG') throw cause;
    throw new KeepsakeError('INVALID_INPUT', `"${name}" is not an embedding model.`, {
      hint: 'Run "keepsake models list" to see the local models. Models on servers look like "openai/text-embedding-3-large" or "ollama/nomic-embed-text".',
      cause,
    });
  }
}

/** Whose vectors there are is told by the storage, and not by what was configured before. */
async function vectorsIn({ config, paths }: LocatedWorkspace): Promise<string | null | undefined> {
  const isFile = config.storage.records.driver === 'sqlite';
  if (isFile && !existsSync(paths.database)) return null;
  try {
    const storage = await openStorage({ storage: config.storage, database: paths.database });
    try {
      return await storage.records.vectors.aside?.present();
    } finally {
      await storage.close();
    }
  } catch {
    // A storage that is unavailable is not a reason to refuse a model.
    return undefined;
  }
}

export async function modelsUse({ name, ...target }: UseModelOptions): Promise<UsedModel> {
  const located = locate(target);
  const { root, config, configFile } = located;
  const env = readEnvironment();
  if (configFile === undefined) {
    throw new KeepsakeError('NOT_FOUND', `${root} has no configuration file to change.`, {
      hint: 'Create one with "keepsake init", or name another workspace with --workspace.',
    });
  }
  const model = await lookUp(name, { root, env }, config.models.embeddingUrl);
  if (!model.installed) {
    throw new KeepsakeError('NOT_FOUND', `The model "${name}" is not on this machine.`, {
      hint: `Run "keepsake models pull ${name}" first.`,
    });
  }
  const changed = await writeSetting(configFile, root, PATH, name);
  const vectors = await vectorsIn(located);
  const id = await embeddingId({ models: { ...config.models, embedding: name }, env, root });
  return {
    name,
    previous: config.models.embedding,
    changed,
    file: configFile,
    model,
    ...defined({ vectors }),
    inUse: vectors !== undefined && vectors !== null && vectors === id,
    ...(env[VARIABLE]?.trim() ? { overriddenBy: VARIABLE } : {}),
  };
}
