/** The models of an agent by role: the light one falls back on the main one, and every call is counted. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { ChatModel, Generated, GenerateRequest } from '../../ports/language-model.ts';
import type { ModelCall, Models } from '../../ports/model-meter.ts';
import { Meter, metered } from './meter.ts';
import type { Prices } from './prices.ts';

export interface ModelsOptions {
  readonly main: ChatModel;
  /** Without it the main model does everything. */
  readonly light?: ChatModel | undefined;
  /** Win over the built-in ones. */
  readonly prices?: Prices | undefined;
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

/** Tried once on the main model when the light one fails or has nothing to say. */
function withFallback(light: ChatModel, main: ChatModel): ChatModel {
  async function generate(request: GenerateRequest): Promise<Generated> {
    try {
      const generated = await light.generate(request);
      if (generated.text.trim() !== '') return generated;
    } catch (error) {
      // Whoever stopped the call wants no other one.
      if (request.signal?.aborted || (KeepsakeError.is(error) && error.code === 'ABORTED')) throw error;
    }
    return main.generate(request);
  }
  return { id: light.id, generate, chat: (request) => light.chat(request) };
}

export function createModels({ main, light, prices = {}, onCall }: ModelsOptions): Models {
  const meter = new Meter(onCall);
  const asLight = metered(light ?? main, 'light', meter, prices);
  const isOther = light !== undefined && light.id !== main.id;
  return {
    main: metered(main, 'main', meter, prices),
    light: isOther ? withFallback(asLight, metered(main, 'light', meter, prices)) : asLight,
    meter,
    fork: (onForkCall) =>
      createModels({
        main,
        light,
        prices,
        onCall: (call) => {
          meter.count(call);
          onForkCall?.(call);
        },
      }),
  };
}
