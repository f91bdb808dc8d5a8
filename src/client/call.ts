/** Calls a verb, wherever it runs: the SDK is written on top of this one function. */
import type { AnyVerb, CallOptions, InputOf, ResultOf } from '../kernel/verb.ts';

export type Call = <V extends AnyVerb>(
  verb: V,
  input: InputOf<V>,
  options?: CallOptions,
) => Promise<ResultOf<V>>;
