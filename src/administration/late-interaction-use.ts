/** Switches late interaction on or off, by one line of the configuration file; off also removes its vectors. */
import { existsSync } from 'node:fs';
import { openStorage, openTokenModel, parseConfig, readEnvironment } from '../config/index.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { writeSetting } from './config-set.ts';
import { type LocatedWorkspace, locate, type WorkspaceTarget } from './target.ts';

export interface UsedLateInteraction {
  /** The model, or "none". */
  readonly name: string;
  readonly previous: string;
  readonly changed: boolean;
  readonly file: string;
  /** Memories whose token vectors were removed. */
  readonly removed: number;
  /** The variable that overrides the file. */
  readonly overriddenBy?: string;
}

const VARIABLE = 'KEEPSAKE_MODELS_LATE_INTERACTION';
const PATH = ['models', 'lateInteraction'];

function modelNamed(name: string): LocatedWorkspace['config']['models'] {
  try {
    return parseConfig({ models: { lateInteraction: name as 'none' } }).models;
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', `"${name}" is not a model for late interaction.`, {
      hint: 'Use "minilm", or "none" to switch it off.',
      cause,
    });
  }
}

/** What nobody uses any more takes space, and says something of every memory. */
async function removeVectors({ config, paths }: LocatedWorkspace): Promise<number> {
  if (config.storage.records.driver !== 'sqlite' || !existsSync(paths.database)) return 0;
  const storage = await openStorage({ storage: config.storage, database: paths.database });
  try {
    const { encoded = 0 } = (await storage.tokens?.backlog()) ?? {};
    await storage.tokens?.drop();
    return encoded;
  } finally {
    await storage.close();
  }
}

export async function useLateInteraction({
  name,
  ...target
}: WorkspaceTarget & { readonly name: string }): Promise<UsedLateInteraction> {
  const located = locate(target);
  const { root, config, configFile } = located;
  const env = readEnvironment();
  if (configFile === undefined) {
    throw new KeepsakeError('NOT_FOUND', `${root} has no configuration file to change.`, {
      hint: 'Create one with "keepsake init", or name another workspace with --workspace.',
    });
  }
  // Throws where its files or the runtime are missing.
  const model = await openTokenModel({ models: modelNamed(name), env, root });
  await model?.close?.();
  const changed = await writeSetting(configFile, root, PATH, name);
  const override = env[VARIABLE]?.trim() || undefined;
  const isUnused = name === 'none' && (override ?? 'none') === 'none';
  return {
    name,
    previous: config.models.lateInteraction,
    changed,
    file: configFile,
    removed: isUnused ? await removeVectors(located) : 0,
    ...defined({ overriddenBy: override === undefined ? undefined : VARIABLE }),
  };
}
