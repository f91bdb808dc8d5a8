/** Hooks of the Claude Agent SDK: add memory to a prompt and save the turn afterwards. */
import { checkOptions, OWNER_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { AdapterOptions } from '../common/options.ts';
import { rememberedText } from '../common/remembered-text.ts';
import { Trouble } from '../common/trouble.ts';

/** The fields of an event that these hooks read. */
interface HookEvent {
  readonly hook_event_name: string;
  readonly prompt?: string;
  readonly last_assistant_message?: string;
}

type HookAnswer = {
  hookSpecificOutput?: { hookEventName: 'UserPromptSubmit'; additionalContext: string };
};
type HookMatcher = { hooks: ((event: HookEvent) => Promise<HookAnswer>)[] };

export interface KeepsakeHooks {
  UserPromptSubmit: HookMatcher[];
  Stop: HookMatcher[];
}

/** For `query({ prompt, options: { hooks: keepsakeHooks({ user, thread }) } })`. No failure of memory ends a session. */
export function keepsakeHooks(options: AdapterOptions = {}): KeepsakeHooks {
  checkOptions('keepsakeHooks', options, { ...OWNER_OPTIONS, thread: true, ...TROUBLE_OPTIONS });
  const handle = memoryOf(options);
  const trouble = new Trouble('keepsake/claude-agent-sdk', options);
  const save = (role: 'user' | 'assistant', text: string | undefined): Promise<void> =>
    text === undefined || text.trim() === ''
      ? Promise.resolve()
      : trouble.write(() => handle.log.add(role, text));
  return {
    UserPromptSubmit: [
      {
        hooks: [
          async ({ prompt = '' }) => {
            const additionalContext = await trouble.read(() => rememberedText(handle, prompt));
            await save('user', prompt);
            if (additionalContext === undefined || additionalContext === '') return {};
            return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext } };
          },
        ],
      },
    ],
    Stop: [
      {
        hooks: [
          async ({ last_assistant_message }) => {
            await save('assistant', last_assistant_message);
            return {};
          },
        ],
      },
    ],
  };
}
