/** A tool as MCP shows it, and how its answers and failures are written. */

import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defined } from '../../kernel/defined.ts';
import { type KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import { refusedAs, validate } from '../../kernel/validate.ts';

/** `write-once`: the same call again changes nothing more. `destroy` cannot be taken back, and does nothing twice. */
export type Effect = 'read' | 'write' | 'write-once' | 'destroy';

export interface Answered {
  readonly structured: Readonly<Record<string, unknown>>;
  /** What a model reads; short. */
  readonly text: string;
}

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  call(given: unknown): Promise<CallToolResult>;
}

interface Definition<Input extends z.ZodType, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: Input;
  readonly output: Output;
  /** Names of the operation's fields, where the tool calls them otherwise. */
  readonly renamed?: Readonly<Record<string, string>>;
  run(input: z.output<Input>): Promise<{ structured: z.input<Output>; text: string }>;
}

export function mcpTool<Input extends z.ZodType, Output extends z.ZodObject>(
  tool: Definition<Input, Output>,
): McpTool {
  const { run, renamed = {}, ...rest } = tool;
  const input = strict(tool.input);
  return {
    ...rest,
    input,
    call: async (given) => {
      try {
        const { structured, text } = await run(validate(input, given ?? {}, tool.name));
        return { content: [{ type: 'text', text }], structuredContent: plain(structured) };
      } catch (thrown) {
        // What the operation behind it refuses is told in the words of the tool, the only ones that its caller knows.
        return failed(refusedAs(toKeepsakeError(thrown), { schema: input, verb: tool.name, renamed }));
      }
    },
  };
}

/** An argument that nobody reads would be taken for one that was heeded. */
function strict<Input extends z.ZodType>(input: Input): Input {
  return input instanceof z.ZodObject ? (input.strict() as unknown as Input) : input;
}

/** Only what JSON can say: keys without a value are left out. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

/** Not as structured content: older clients check that against the schema of a success. */
function failed(error: KeepsakeError): CallToolResult {
  const { code, message, hint } = error;
  const text = `${code}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
  return {
    isError: true,
    content: [{ type: 'text', text }],
    _meta: {
      'keepsake/error': {
        code,
        message,
        retryable: error.retryable,
        ...defined({ hint }),
      },
    },
  };
}

/** Memory is a closed world: no tool reaches beyond the workspace. */
export function annotationsOf({ title, effect }: McpTool): ToolAnnotations {
  return {
    title,
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destroy',
    idempotentHint: effect !== 'write',
    openWorldHint: false,
  };
}

/** JSON Schema without what costs tokens and says nothing to a model. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
