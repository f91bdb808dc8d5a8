/** Runs an operation that indexes files, with its progress on stderr, until every vector is made. */
import type { z } from 'zod';
import type { AnyVerb } from '../../../kernel/verb.ts';
import { createProgress } from '../terminal/progress.ts';
import type { VerbCall } from '../verbs/verb.ts';

export function indexing<Output>(label: string, operation: Operation<z.ZodType, Output>) {
  return async ({ engine, input, caller, context }: VerbCall): Promise<Output> => {
    const progress = createProgress(label, context.output);
    const onProgress = ({ done, total }: { done: number; total: number }) => progress.show(done, total);
    const options = { signal: context.closing, onProgress };
    const report = await operation.run(engine, input, caller, options).finally(() => progress.end());
    // What is stored is found by its words at once. Here nobody stays to make the vectors later.
    const vectors = createProgress('Embedding', context.output);
    await engine.embedder
      .drain({ onProgress: ({ done, total }) => vectors.show(done, total) })
      .catch(() => 0)
      .finally(() => vectors.end());
    return report;
  };
}
