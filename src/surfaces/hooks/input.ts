/** The input of a Claude Code hook. */

import { KeepsakeError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';

const hookInput = z.looseObject({
  session_id: z.string().min(1).max(200).optional(),
  transcript_path: z.string().optional(),
  /** Why a session starts. */
  source: z.string().optional(),
  prompt: z.string().optional(),
  compact_summary: z.string().optional(),
  tool_name: z.string().optional(),
  tool_input: z.looseObject({ file_path: z.string().optional() }).optional(),
});

export type HookInput = z.output<typeof hookInput>;

export function readHookInput(text: string): HookInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', 'stdin is not valid JSON.', { cause });
  }
  const result = hookInput.safeParse(value);
  if (result.success) return result.data;
  throw new KeepsakeError('INVALID_INPUT', 'stdin is not the input of a hook.', {
    cause: result.error,
  });
}
