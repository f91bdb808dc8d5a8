/** Plays the language models that a page names, over HTTP and in the format of each provider. */
import { onTestFinished } from 'vitest';
import { type Script, type ScriptedModel, scriptedModel } from '../../../src/testing/index.ts';
import type { World } from './world.ts';

/** Nothing of a page has to be changed for it: providers are found where the environment says. */
export async function playModels(
  world: World,
  script: Script = () => ({ text: 'Noted.' }),
): Promise<ScriptedModel> {
  const model = await scriptedModel(script);
  onTestFinished(() => model.close());
  Object.assign(world.env, {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'not-a-real-one',
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: 'not-a-real-one',
    KEEPSAKE_MODELS_RETRIES: '0',
  });
  return model;
}
