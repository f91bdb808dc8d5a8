/** gte-small on ONNX: token numbers in, mean-pooled sentence vectors of 384 numbers out. */
import type { Teacher } from './inputs.ts';

export const TEACHER_DIMENSIONS = 384;
/** Rows × padded length of one batch: larger ones leave the processor's cache. */
const BATCH_TOKENS = 2_048;

/** The part of onnxruntime-node that is used; it is loaded from the cache and is no dependency. */
interface Runtime {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
  readonly InferenceSession: {
    create(
      file: string,
      options: object,
    ): Promise<{ run(feeds: object): Promise<Record<string, { data: Float32Array }>> }>;
  };
}

export async function loadTeacher(teacher: Teacher, threads: number) {
  const { default: runtime } = (await import(teacher.runtime)) as { default: Runtime };
  const session = await runtime.InferenceSession.create(teacher.model, {
    intraOpNumThreads: threads,
    graphOptimizationLevel: 'all',
  });

  /** One vector per list of token numbers (with `[CLS]` and `[SEP]`), in order, in one long array. */
  return async function embed(
    lists: readonly ArrayLike<number>[],
    progress: (done: number) => void = () => {},
  ): Promise<Float32Array> {
    const vectors = new Float32Array(lists.length * TEACHER_DIMENSIONS);
    // Neighbours of equal length need no padding.
    const order = lists.map((_, index) => index).sort((a, b) => lists[a]!.length - lists[b]!.length);
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      while (to < order.length && (to - from + 1) * lists[order[to]!]!.length <= BATCH_TOKENS) to += 1;
      const batch = order.slice(from, to);
      const width = lists[batch.at(-1)!]!.length;
      const ids = new BigInt64Array(batch.length * width);
      const mask = new BigInt64Array(batch.length * width);
      for (const [row, index] of batch.entries()) {
        const tokens = lists[index]!;
        for (let i = 0; i < tokens.length; i += 1) {
          ids[row * width + i] = BigInt(tokens[i]!);
          mask[row * width + i] = 1n;
        }
      }
      const dims = [batch.length, width];
      const result = await session.run({
        input_ids: new runtime.Tensor('int64', ids, dims),
        attention_mask: new runtime.Tensor('int64', mask, dims),
        token_type_ids: new runtime.Tensor('int64', new BigInt64Array(ids.length), dims),
      });
      const states = result.last_hidden_state!.data;
      for (const [row, index] of batch.entries()) {
        const { length } = lists[index]!;
        const target = vectors.subarray(index * TEACHER_DIMENSIONS, (index + 1) * TEACHER_DIMENSIONS);
        for (let i = 0; i < length; i += 1) {
          const start = (row * width + i) * TEACHER_DIMENSIONS;
          for (let d = 0; d < TEACHER_DIMENSIONS; d += 1) target[d]! += states[start + d]! / length;
        }
      }
      from = to;
      progress(from);
    }
    return vectors;
  };
}
