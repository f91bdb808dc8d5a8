/** What a tool is: a name and a description for the model, a schema for its arguments, and what it does. */
import type { z } from 'zod';

export interface ToolContext {
  /** Whose hands it acts with; null in a raw session, which nobody's memory belongs to. */
  readonly agent: string | null;
  readonly session: string;
  readonly signal: AbortSignal;
}

/** Always, or with some arguments, which are as the model gave them. */
export type ReadOnly = boolean | ((given: unknown) => boolean);

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** It changes nothing, and may run beside other calls of one step that change nothing either. */
  readonly readOnly?: ReadOnly;
  /** What it answers goes to the model: text as it is, anything else as JSON. A thrown error becomes a failed result. */
  run(input: never, context: ToolContext): Promise<unknown> | unknown;
}

/** Ties the type of the arguments to the schema. */
export function defineTool<Input extends z.ZodType>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly readOnly?: ReadOnly;
  run(input: z.output<Input>, context: ToolContext): Promise<unknown> | unknown;
}): Tool {
  return tool as unknown as Tool;
}
