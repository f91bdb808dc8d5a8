/** The only place that knows language models by name; their code is loaded when one is first wanted. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { ChatModel, Usage } from '../ports/language-model.ts';
import type { ModelCall, Models } from '../ports/model-meter.ts';
import type { Environment } from './environment.ts';
import { readLanguageChoice } from './language-choice.ts';
import type { Config } from './schema.ts';

const loadLanguage = () => import('../models/language/index.ts');

type Language = Awaited<ReturnType<typeof loadLanguage>>;
type Patience = NonNullable<Parameters<Language['adoptSdkModel']>[1]>;

/** A language model of the AI SDK, by its shape. */
export type AiSdkLanguageModel = Parameters<Language['adoptSdkModel']>[0];

/** A name, a model of the AI SDK, or a model of one's own. */
export type LanguageModelInput = string | ChatModel | AiSdkLanguageModel;

export interface LanguagePlace {
  readonly models: Pick<Config['models'], 'baseUrl' | 'timeoutMs' | 'retries' | 'prices' | 'local' | 'heavy'>;
  readonly env: Environment;
}

export interface OpenModelsOptions extends LanguagePlace {
  readonly main: LanguageModelInput;
  readonly light?: LanguageModelInput | undefined;
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

function isOurs(given: object): given is ChatModel {
  return 'chat' in given && typeof given.chat === 'function' && 'generate' in given;
}

/** The model that a name or an object represents; undefined for "none". */
export async function openLanguageModel(
  given: LanguageModelInput,
  { models: { baseUrl, timeoutMs, retries }, env }: LanguagePlace,
): Promise<ChatModel | undefined> {
  const patience: Patience = { timeoutMs, retries };
  if (typeof given !== 'string') {
    if (isOurs(given)) return given;
    const { adoptSdkModel, isSdkLanguageModel } = await loadLanguage();
    if (isSdkLanguageModel(given)) return adoptSdkModel(given, patience);
    throw new KeepsakeError('INVALID_INPUT', '`model` is not a language model.', {
      hint: 'Pass a name such as "openai/gpt-5-mini", or a language model of the AI SDK such as openai("gpt-5-mini").',
    });
  }
  const choice = readLanguageChoice(given, baseUrl, env);
  if (choice === undefined) return undefined;
  if (choice.missingKey !== undefined) {
    throw new KeepsakeError('UNAUTHORIZED', `The language model "${choice.id}" needs a key.`, {
      hint: `Set the environment variable ${choice.missingKey}, or use a model that needs no key, such as "ollama/qwen3" on this machine.`,
      details: { model: choice.id, variable: choice.missingKey },
    });
  }
  const { checkInstalled, createServerModel } = await loadLanguage();
  checkInstalled(choice);
  return createServerModel(choice, patience);
}

/** What calls of a model will cost, in dollars at list prices; null when the price is not known. */
export async function estimateCost(
  model: string,
  usage: Usage,
  prices: LanguagePlace['models']['prices'],
): Promise<number | null> {
  return (await loadLanguage()).costOf(model, usage, prices ?? {});
}

/** The models of an agent; undefined when its main one is "none", for then there is none to think with. */
export async function openModels({
  main,
  light = main,
  onCall,
  ...place
}: OpenModelsOptions): Promise<Models | undefined> {
  const mainModel = await openLanguageModel(main, place);
  if (mainModel === undefined) return undefined;
  const lightModel = light === main ? undefined : await openLanguageModel(light, place);
  const { local = 'none', heavy = 'none', prices } = place.models;
  const { createModels } = await loadLanguage();
  return createModels({
    main: mainModel,
    light: lightModel,
    local: await openLanguageModel(local, place),
    heavy: await openLanguageModel(heavy, place),
    prices,
    onCall,
  });
}
