/** `withKeepsake(model)`: a language model with memory, in place of the model. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkOptions, TURN_OPTIONS } from '../common/check-options.ts';
import type { TurnOptions } from '../common/turn-memory.ts';
import { keepsakeMiddleware } from './middleware.ts';

/** A language model of the AI SDK, of version 5, 6 or 7, by its shape. */
export interface AnyLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(params: never): PromiseLike<object>;
  doStream(params: never): PromiseLike<object>;
}

export interface Remembering {
  readonly keepsake: {
    /** Resolves once all turns are saved; `waiting` counts those that memory refused so far. */
    settled(): Promise<{ readonly waiting: number }>;
  };
}

/**
 * Memory around every call of the model: what it should know enters the prompt as one system message, and the turn is saved when
 * the model has answered. Works without the package `ai` itself, so with every version of it whose models have this shape.
 */
export function withKeepsake<Model extends AnyLanguageModel>(
  model: Model,
  options: TurnOptions = {},
): Model & Remembering {
  checkModel(model);
  checkOptions('withKeepsake', options, TURN_OPTIONS);
  const middleware = keepsakeMiddleware(options);
  const asked = async (params: never, type: 'generate' | 'stream') => {
    const transformed = await middleware.transformParams({ type, params, model: model as never });
    const doGenerate = () => model.doGenerate(transformed as never) as never;
    const doStream = () => model.doStream(transformed as never) as never;
    return { doGenerate, doStream, params: transformed, model: model as never };
  };
  const own = {
    keepsake: { settled: () => middleware.settled() },
    doGenerate: async (params: never) => middleware.wrapGenerate(await asked(params, 'generate')),
    doStream: async (params: never) => middleware.wrapStream(await asked(params, 'stream')),
  };
  // Not a copy: providers use private fields and getters, which only the model itself has.
  return new Proxy(model, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof typeof own];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    has: (target, key) => Object.hasOwn(own, key) || Reflect.has(target, key),
  }) as Model & Remembering;
}

function checkModel(model: unknown): void {
  if (typeof model === 'object' && model !== null && 'doGenerate' in model && 'doStream' in model) return;
  const given = typeof model === 'string' ? `the name "${model}"` : `${typeof model}`;
  throw new KeepsakeError('INVALID_INPUT', `withKeepsake() expects a language model, and got ${given}.`, {
    hint: 'Pass the model of a provider, for example openai("gpt-5"), or gateway("openai/gpt-5") of the package ai.',
  });
}
