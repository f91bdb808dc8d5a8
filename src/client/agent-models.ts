/** The models of an agent: those that its code names, else those that its configuration does. */
import { type Config, type LanguageModelInput, openModels } from '../config/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { modelName } from '../kernel/model-name.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { ModelCall, Models } from '../ports/model-meter.ts';
import type { Engine } from './engine.ts';
import type { RunSettings } from './run-settings.ts';

/** Null: a session without an identity. */
interface Whose {
  readonly name: string | null;
  readonly settings: Pick<RunSettings, 'model' | 'light'>;
}

type Place = Pick<Engine, 'config' | 'env'>;

interface Chosen {
  readonly main: LanguageModelInput;
  /** Undefined: the main one does everything. */
  readonly light: LanguageModelInput | undefined;
}

function chosen({ name, settings }: Whose, config: Config): Chosen {
  // An agent may be called "constructor": only own keys count.
  const own = name !== null && Object.hasOwn(config.agents, name) ? config.agents[name]?.models : undefined;
  return {
    main: settings.model ?? own?.main ?? config.models.main,
    light: settings.light ?? own?.light ?? config.models.light,
  };
}

async function openChosen(
  { main, light }: Chosen,
  { config, env }: Place,
  onCall?: (call: ModelCall) => void,
): Promise<Models> {
  const models = await openModels({ main, light, models: config.models, env, onCall });
  if (models !== undefined) return models;
  throw new KeepsakeError('UNSUPPORTED', 'No language model is configured to run this agent.', {
    hint: 'Set models.main in keepsake.jsonc, "model" in the file of the agent, or client.agent({ model }): for example "openai/gpt-5-mini" with OPENAI_API_KEY, or "ollama/qwen3", which runs locally without a key.',
  });
}

export function modelsToRun(whose: Whose, place: Place): Promise<Models> {
  return openChosen(chosen(whose, place.config), place);
}

/**
 * What writes summaries: the model that is meant for them, else the light one, else the main one. It is opened when the
 * first summary is wanted, because a compressor is also made for programs that never compact and have no key.
 * Undefined when the agent has no model at all.
 */
export function summarizerOf(
  whose: Whose,
  place: Place,
  meant: LanguageModelInput | undefined,
  /** Told of every call, for whoever pays. */
  onCall?: (call: ModelCall) => void,
): LanguageModel | undefined {
  const { main, light = main } = chosen(whose, place.config);
  const writer = meant ?? light;
  const choice = { main: main === 'none' ? writer : main, light: writer };
  if (choice.main === 'none') return undefined;
  // Whoever names a writer wants that one, and not a cheaper one before it.
  const around = ({ config, env }: Place): Place => {
    const { local: _, ...models } = config.models;
    return meant === undefined ? { config, env } : { config: { ...config, models }, env };
  };
  let models: Promise<Models> | undefined;
  return {
    id: modelName(writer === 'none' ? main : writer),
    generate: async (request) => {
      models ??= openChosen(choice, around(place), onCall).catch((error: unknown) => {
        // A key may be set later on.
        models = undefined;
        throw error;
      });
      return (await models).light.generate(request);
    },
  };
}
