/** The only place that knows the models for late interaction by name; what they need is loaded when one is in use. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { TokenModel } from '../ports/token-model.ts';
import { packageFile } from '../runtime/package-root.ts';
import type { Environment } from './environment.ts';
import { modelFolders } from './model-folders.ts';
import type { Config } from './schema.ts';

const load = () => import('../models/onnx/index.ts');

export interface LateInteractionPlace {
  readonly models: Pick<Config['models'], 'lateInteraction'>;
  readonly env: Environment;
  /** Root folder of the workspace. */
  readonly root: string;
}

/** The model that the configuration names; undefined for "none". */
export async function openTokenModel({
  models,
  env,
  root,
}: LateInteractionPlace): Promise<TokenModel | undefined> {
  const name = models.lateInteraction;
  if (name === 'none') return undefined;
  const { createOnnxTokens, isInstalled, isRuntimeInstalled, localModel } = await load();
  const model = localModel(name);
  const { workspace, cache } = modelFolders(root, env, name);
  const folder = [workspace, cache].find((each) => isInstalled(model, each));
  if (folder === undefined) {
    throw new KeepsakeError('NOT_FOUND', `The model "${name}" for late interaction is not on this machine.`, {
      hint: `Run "keepsake models pull ${name}", or set models.lateInteraction to "none".`,
    });
  }
  if (!isRuntimeInstalled()) {
    throw new KeepsakeError('UNSUPPORTED', 'Late interaction needs the package onnxruntime-node.', {
      hint: 'Run "npm install onnxruntime-node" beside Keepsake, or set models.lateInteraction to "none".',
    });
  }
  const { projection, ...space } = model.tokens!;
  return createOnnxTokens(model, space, { folder, projection: packageFile(projection) });
}
