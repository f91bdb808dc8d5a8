/** Runs a verb that indexes files, with its progress on stderr, until every vector is made. */
import { type AnyVerb, callVerb, type ResultOf } from '../../../../kernel/verb.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { VerbCall } from '../presentation.ts';

export function indexing<V extends AnyVerb>(label: string, verb: V) {
  return async ({ engine, input, caller, context }: VerbCall): Promise<ResultOf<V>> => {
    const progress = createProgress(label, context.output);
    const onProgress = ({ done, total }: { done: number; total: number }) => progress.show(done, total);
    const options = { signal: context.closing, onProgress };
    const report = await callVerb(verb, engine, input, caller, options).finally(() => progress.end());
    // What is stored is found by its words at once. This process ends, so nobody would make the vectors later.
    const vectors = createProgress('Embedding', context.output);
    await engine.embedder
      .drain({ onProgress: ({ done, total }) => vectors.show(done, total) })
      .catch(() => 0)
      .finally(() => vectors.end());
    return report;
  };
}
