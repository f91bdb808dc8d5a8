/** A tool as MCP shows it, and how its answers and failures are written. */

import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { defined } from '../../kernel/defined.ts';
import { type KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import { strictArguments } from '../../kernel/tool-projection.ts';
import { refusedAs, validate } from '../../kernel/validate.ts';
import type { Effect, ToolAnswer } from '../../kernel/verb.ts';
import { z } from '../../kernel/zod.ts';

export interface McpTool {
  readonly name: string;
  /** The verb behind it. */
  readonly verb: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  /** The same call again changes nothing more. */
  readonly idempotent: boolean;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  call(given: unknown): Promise<CallToolResult>;
}

interface Definition extends Omit<McpTool, 'call'> {
  readonly input: z.ZodObject;
  /** Names of the verb's fields, where the tool uses another name. */
  readonly renamed: Readonly<Record<string, string>>;
  run(input: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
}

export function mcpTool({ run, renamed, ...rest }: Definition): McpTool {
  const input = strictArguments(rest.input);
  return {
    ...rest,
    input,
    call: async (given) => {
      try {
        const { structured, text } = await run(validate(input, given ?? {}, rest.name));
        return { content: [{ type: 'text', text }], structuredContent: plain(structured) };
      } catch (thrown) {
        // What the verb refuses is reported in the words of the tool, the only ones that its caller knows.
        return failed(refusedAs(toKeepsakeError(thrown), { schema: input, verb: rest.name, renamed }));
      }
    },
  };
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
export function annotationsOf({ title, effect, idempotent }: McpTool): ToolAnnotations {
  return {
    title,
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destroy',
    idempotentHint: idempotent,
    openWorldHint: false,
  };
}

/** JSON Schema without what costs tokens and says nothing to a model. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
