/** Runs the tools that a model called. An error becomes a result for the model and does not end the run. */

import { KeepsakeError } from '../kernel/errors.ts';
import type { z } from '../kernel/zod.ts';
import type { ChatPart } from '../ports/language-model.ts';
import type { Tool, ToolContext } from './tool.ts';
import { untilStopped } from './until-stopped.ts';

export type ToolCall = Extract<ChatPart, { type: 'toolCall' }>;
export type ToolResult = Extract<ChatPart, { type: 'toolResult' }>;

/** More than this of one answer would crowd out the conversation. */
const MAX_RESULT_CHARACTERS = 60_000;

function asText(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '')).toWellFormed();
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const kept = text.slice(0, MAX_RESULT_CHARACTERS).toWellFormed();
  return `${kept}\n… (${text.length - MAX_RESULT_CHARACTERS} more characters were left out; ask for less at a time)`;
}

function complaint(error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  return `Invalid arguments. ${problems.join('; ')}`;
}

async function answer(tools: readonly Tool[], call: ToolCall, context: ToolContext): Promise<string> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new KeepsakeError('NOT_FOUND', `There is no tool "${call.name}".`, {
      hint: `Available tools: ${names}.`,
    });
  }
  const given = await tool.input.safeParseAsync(call.arguments ?? {});
  if (!given.success) throw new KeepsakeError('INVALID_INPUT', complaint(given.error));
  return asText(await tool.run(given.data as never, context));
}

/** For a call whose run was stopped: how far it came is unknown. */
export function stoppedResult({ id, name }: ToolCall): ToolResult {
  const result = 'Stopped before it returned; it may or may not have taken effect.';
  return { type: 'toolResult', id, name, result, isError: true };
}

export async function runTool(
  tools: readonly Tool[],
  call: ToolCall,
  context: ToolContext,
): Promise<ToolResult> {
  const { id, name } = call;
  try {
    return {
      type: 'toolResult',
      id,
      name,
      result: await untilStopped(answer(tools, call, context), context.signal),
    };
  } catch (error) {
    if (context.signal.aborted) throw error;
    const hint = KeepsakeError.is(error) && error.hint !== undefined ? ` ${error.hint}` : '';
    const text = error instanceof Error ? error.message : String(error);
    return { type: 'toolResult', id, name, result: `${text}${hint}`, isError: true };
  }
}
