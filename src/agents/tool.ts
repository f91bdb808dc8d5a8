/** How a tool is described to a model. */

import type { JsonObject } from '../kernel/json.ts';
import type { Tool } from '../kernel/tool.ts';
import { z } from '../kernel/zod.ts';
import type { ToolSpec } from '../ports/language-model.ts';

export { defineTool, type Tool, type ToolContext } from '../kernel/tool.ts';

/** A JSON Schema takes a tenth of a millisecond to make, and every prompt describes every tool. */
const specs = new WeakMap<Tool, ToolSpec>();

export function specOf(tool: Tool): ToolSpec {
  const before = specs.get(tool);
  if (before !== undefined) return before;
  const spec = describe(tool);
  specs.set(tool, spec);
  return spec;
}

function describe({ name, description, input }: Tool): ToolSpec {
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return { name, description, parameters: parameters as JsonObject };
}
