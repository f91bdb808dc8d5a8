/** Recomputes all vectors with another embedding model; searches use the old vectors until the new ones are complete. */

import { openEmbedding, parseConfig, readEnvironment } from '../config/index.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Embedder, LateInteraction, ReEmbedProgress, ReEmbedReport } from '../records/index.ts';
import { modelsUse, type UsedModel } from './models-use.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export type { ReEmbedProgress, ReEmbedReport };

export interface ReEmbedOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReEmbedProgress) => void) | undefined;
}

const VARIABLE = 'KEEPSAKE_MODELS_EMBEDDING';

/**
 * Writes the model into the configuration, once it has shown that it works. The wish comes first and the vectors follow:
 * whatever happens in between, the next call knows what is to be done.
 */
export async function chooseNextModel({
  name,
  ...target
}: WorkspaceTarget & { readonly name: string }): Promise<UsedModel> {
  const env = readEnvironment();
  const set = env[VARIABLE]?.trim();
  if (set && set !== name) {
    throw new KeepsakeError('CONFLICT', `$${VARIABLE} is "${set}" and overrides the configuration.`, {
      hint: 'Change or unset the variable for every program that uses this workspace.',
    });
  }
  const { root, config } = locate(target);
  if (name !== config.models.embedding) await tryModel(name, { root, env, url: config.models.embeddingUrl });
  return modelsUse({ name, ...target });
}

async function tryModel(
  name: string,
  { root, env, url }: { root: string; env: ReturnType<typeof readEnvironment>; url: string | undefined },
): Promise<void> {
  const embeddingUrl = defined({ embeddingUrl: url });
  let models: ReturnType<typeof parseConfig>['models'];
  try {
    models = parseConfig({ models: { embedding: name, ...embeddingUrl } }).models;
  } catch {
    // Whoever writes it into the file says what is wrong with the name.
    return;
  }
  if (models.embedding === 'none') {
    throw new KeepsakeError('INVALID_INPUT', '"none" makes no vectors.', {
      hint: 'Run "keepsake models use none" to search by words alone.',
    });
  }
  const model = await openEmbedding({ models, env, root });
  try {
    await model?.embed(['Does it work?'], 'document');
  } finally {
    await model?.close?.();
  }
}

export async function reEmbedMemory(
  {
    embedder,
    lateInteraction,
  }: { readonly embedder: Embedder; readonly lateInteraction?: LateInteraction | undefined },
  { signal, onProgress }: ReEmbedOptions = {},
): Promise<ReEmbedReport> {
  const report = await embedder.reEmbed({ ...defined({ signal }), onProgress });
  // Without its model, only the order of hits is another one; doctor says so.
  await lateInteraction?.drain().catch(() => 0);
  if (report.switched) return report;
  // The model is the same as before: what has no vector yet gets one.
  const made = await embedder.drain(defined({ onProgress }));
  // What still waits after that has a text that the model cannot take, as after a switch.
  const missing = (await embedder.health())?.waiting ?? 0;
  return { ...report, made, missing };
}
