/** Counts the calls of models, and wraps models so that their calls are counted. */
import { traced } from '../../kernel/tracing.ts';
import type {
  ChatEvent,
  ChatModel,
  ChatRequest,
  GenerateRequest,
  Usage,
} from '../../ports/language-model.ts';
import type { ModelCall, ModelMeter, ModelRole, ModelTally } from '../../ports/model-meter.ts';
import { costOf, type Prices } from './prices.ts';

const NOTHING: ModelTally = { calls: 0, unfinished: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

function plus(tally: ModelTally, { usage, cost }: ModelCall): ModelTally {
  if (usage === undefined) return { ...tally, calls: tally.calls + 1, unfinished: tally.unfinished + 1 };
  return {
    ...tally,
    calls: tally.calls + 1,
    inputTokens: tally.inputTokens + usage.inputTokens,
    outputTokens: tally.outputTokens + usage.outputTokens,
    cost: tally.cost === null || cost === null ? null : tally.cost + cost,
  };
}

export class Meter implements ModelMeter {
  readonly #record: ((call: ModelCall) => void) | undefined;
  readonly #byModel = new Map<string, ModelTally>();
  readonly #byRole: Record<ModelRole, ModelTally> = { main: NOTHING, light: NOTHING };
  #total = NOTHING;

  /** @param onCall is told of every call, after it was counted. */
  constructor(onCall?: (call: ModelCall) => void) {
    this.#record = onCall;
  }

  count(call: ModelCall): void {
    this.#total = plus(this.#total, call);
    this.#byRole[call.role] = plus(this.#byRole[call.role], call);
    this.#byModel.set(call.model, plus(this.#byModel.get(call.model) ?? NOTHING, call));
    this.#record?.(call);
  }

  total(): ModelTally {
    return this.#total;
  }

  byModel(): Readonly<Record<string, ModelTally>> {
    return Object.fromEntries(this.#byModel);
  }

  byRole(): Readonly<Record<ModelRole, ModelTally>> {
    return { ...this.#byRole };
  }
}

/** The same model; every call of it is counted once, however it ends. */
export function metered(model: ChatModel, role: ModelRole, meter: Meter, prices: Prices): ChatModel {
  const count = (usage: Usage | undefined): void => {
    const cost = usage === undefined ? null : costOf(model.id, usage, prices);
    meter.count({ model: model.id, role, usage, cost });
  };
  async function* chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    let usage: Usage | undefined;
    // The span lasts as long as the answer comes; who reads it decides when that is over.
    const ended = Promise.withResolvers<void>();
    const span = traced('keepsake.model.chat', { 'keepsake.model': model.id }, () => ended.promise);
    span.catch(() => {});
    try {
      for await (const event of model.chat(request)) {
        if (event.type === 'finish') usage = event.usage;
        yield event;
      }
    } catch (error) {
      ended.reject(error);
      throw error;
    } finally {
      ended.resolve();
      count(usage);
    }
  }
  return {
    id: model.id,
    chat,
    async generate(request: GenerateRequest) {
      let usage: Usage | undefined;
      try {
        const generated = await traced('keepsake.model.generate', { 'keepsake.model': model.id }, () =>
          model.generate(request),
        );
        usage = generated.usage ?? { inputTokens: 0, outputTokens: 0 };
        return generated;
      } finally {
        count(usage);
      }
    },
  };
}
