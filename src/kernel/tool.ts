/** The type of a tool: name, description, schema of the arguments, and function. */

import { KeepsakeError } from './errors.ts';
import type { z } from './zod.ts';

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

/** What all providers take as the name of a tool. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Ties the type of the arguments to the schema. */
export function defineTool<Input extends z.ZodType>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly readOnly?: ReadOnly;
  run(input: z.output<Input>, context: ToolContext): Promise<unknown> | unknown;
}): Tool {
  if (typeof tool.name === 'string' && TOOL_NAME.test(tool.name)) return tool as unknown as Tool;
  throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(tool.name)} cannot be the name of a tool.`, {
    hint: 'Use up to 64 letters, digits, "_" and "-", for example "read_calendar".',
  });
}
