/** A tool as a model is told of it. */
import { z } from 'zod';
import type { JsonObject } from '../kernel/json.ts';
import type { Tool } from '../kernel/tool.ts';
import type { ToolSpec } from '../ports/language-model.ts';

export { defineTool, type Tool, type ToolContext } from '../kernel/tool.ts';

export function specOf({ name, description, input }: Tool): ToolSpec {
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return { name, description, parameters: parameters as JsonObject };
}
