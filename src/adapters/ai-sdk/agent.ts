/** Helpers for `ToolLoopAgent`: adds memory to the instructions and saves the turn at the end. */
import { checkOptions, TURN_OPTIONS } from '../common/check-options.ts';
import { TurnMemory, type TurnOptions } from '../common/turn-memory.ts';
import { type PromptMessage, textOf, turnOf } from './prompt.ts';

interface Call {
  readonly instructions?: unknown;
  readonly prompt?: unknown;
  readonly messages?: unknown;
}

export interface AgentHooks {
  /** For `prepareCall`: adds what the agent should know to its instructions. */
  prepareCall<Given extends Call>(call: Given): Promise<Given>;
  /** For `onEnd` (in version 6: `onFinish`): saves what the user asked and what the agent answered. */
  onEnd(event: { readonly text: string }): Promise<void>;
  settled(): Promise<{ readonly waiting: number }>;
}

/** One object per conversation that runs at a time: `onEnd` saves the answer to what `prepareCall` saw last. */
export function agentMemory(options: TurnOptions = {}): AgentHooks {
  checkOptions('agentMemory', options, TURN_OPTIONS);
  const memory = new TurnMemory('keepsake/ai-sdk', options);
  let asked = '';
  return {
    async prepareCall(call) {
      const { task, key } = turnOf(messagesOf(call));
      asked = task;
      const recalled = await memory.recall(task, key);
      if (recalled === undefined) return call;
      const own = typeof call.instructions === 'string' ? `${call.instructions}\n\n` : '';
      return { ...call, instructions: `${own}${recalled.text}` };
    },
    async onEnd({ text }) {
      const saved = memory.save([
        { role: 'user', text: asked },
        { role: 'assistant', text },
      ]);
      if (options.strict === true) await saved;
    },
    settled: () => memory.settled(),
  };
}

function messagesOf({ prompt, messages }: Call): PromptMessage[] {
  const given = messages ?? prompt;
  if (typeof given === 'string') return [{ role: 'user', content: given }];
  if (!Array.isArray(given)) return [];
  return (given as PromptMessage[]).map(({ role, content }) => ({ role, content: textOf(content) }));
}
