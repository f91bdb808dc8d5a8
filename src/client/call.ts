/** Calls an operation, wherever it runs: the SDK is written on top of this one function. */
import type { z } from 'zod';
import type { CallOptions, Operation } from '../operations/index.ts';

export type Call = <Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
  input: z.input<Input>,
  options?: CallOptions,
) => Promise<Output>;
