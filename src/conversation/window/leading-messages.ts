/** The messages before the history: prompt, rules and preamble. They are never written to disk and never summarised. */
import type { StaticMessages } from '../conversation-options.ts';
import type { ConversationMessage } from '../messages/message.ts';
import { PRELOAD_MARK } from './start-up.ts';

/** Id of the message that holds MEMORY.md. */
export const PRELOAD_ID = 'static_preload';

/** System prompt, rules, custom rules, then MEMORY.md: the documented order. */
export function leadingMessages(
  { systemPrompt, rules, customRulesPrompt }: StaticMessages,
  preamble: string | null,
  at: number,
): ConversationMessage[] {
  const preload = preamble === null ? undefined : `${PRELOAD_MARK}\n${preamble}`;
  const given = [
    ['static_system', 'System', systemPrompt],
    ['static_rules', 'User', rules],
    ['static_custom_rules', 'User', customRulesPrompt],
    [PRELOAD_ID, 'System', preload],
  ] as const;
  return given.flatMap(([id, role, content]) =>
    content === undefined || content === ''
      ? []
      : [{ id, role, content, at, run: null, metadata: { static: true } }],
  );
}
