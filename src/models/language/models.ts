/** The models of an agent by role: if a role has no model, the next larger one is used; every call is counted. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type {
  ChatEvent,
  ChatModel,
  ChatRequest,
  Generated,
  GenerateRequest,
} from '../../ports/language-model.ts';
import type { ModelCall, ModelRole, Models } from '../../ports/model-meter.ts';
import { Meter, metered } from './meter.ts';
import type { Prices } from './prices.ts';

export interface ModelsOptions {
  readonly main: ChatModel;
  /** Without it the main model does everything. */
  readonly light?: ChatModel | undefined;
  /** Asked before the light one. */
  readonly local?: ChatModel | undefined;
  /** Asked when the main one fails. */
  readonly heavy?: ChatModel | undefined;
  /** Win over the built-in ones. */
  readonly prices?: Prices | undefined;
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

/** Whoever stopped a call wants no other one. */
function isStopped(error: unknown, { signal }: { readonly signal?: AbortSignal | undefined }): boolean {
  return signal?.aborted === true || (KeepsakeError.is(error) && error.code === 'ABORTED');
}

/** One tier up, once, when a model fails or has nothing to say. */
function escalating(model: ChatModel, above: ChatModel): ChatModel {
  async function generate(request: GenerateRequest): Promise<Generated> {
    try {
      const generated = await model.generate(request);
      if (generated.text.trim() !== '') return generated;
    } catch (error) {
      if (isStopped(error, request)) throw error;
    }
    return above.generate(request);
  }
  async function* chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    let hasBegun = false;
    try {
      for await (const event of model.chat(request)) {
        hasBegun = true;
        yield event;
      }
      return;
    } catch (error) {
      // Half an answer was handed out: a second one would be read as its end.
      if (hasBegun || isStopped(error, request)) throw error;
    }
    yield* above.chat(request);
  }
  return { id: model.id, generate, chat };
}

/** From the cheapest on. The same model twice in a row is one. */
function tiers(models: readonly (ChatModel | undefined)[]): ChatModel[] {
  const given = models.filter((model) => model !== undefined);
  return given.filter(({ id }, i) => id !== given[i - 1]?.id);
}

export function createModels({ prices = {}, onCall, ...given }: ModelsOptions): Models {
  const { main, light, local, heavy } = given;
  const meter = new Meter(onCall);
  const inRole = (role: ModelRole, models: readonly (ChatModel | undefined)[]): ChatModel =>
    tiers(models)
      .map((model) => metered(model, role, meter, prices))
      .reduceRight((above, model) => escalating(model, above));
  return {
    main: inRole('main', [main, heavy]),
    light: inRole('light', [local, light, main, heavy]),
    meter,
    fork: (onForkCall) =>
      createModels({
        ...given,
        prices,
        onCall: (call) => {
          meter.count(call);
          onForkCall?.(call);
        },
      }),
  };
}
