/** Downloads the files of a local embedding model. */
import { resolve } from 'node:path';
import { type PullEmbeddingOptions, pullEmbedding, readEnvironment } from '../config/index.ts';
import { findTarget, type WorkspaceTarget } from './target.ts';

export type PulledModel = Awaited<ReturnType<typeof pullEmbedding>>;

export function modelsPull({
  workspace,
  from,
  ...options
}: WorkspaceTarget & PullEmbeddingOptions): Promise<PulledModel> {
  const { root } = findTarget({ workspace });
  return pullEmbedding(
    { root, env: readEnvironment() },
    { ...options, ...(from === undefined ? {} : { from: resolve(from) }) },
  );
}
