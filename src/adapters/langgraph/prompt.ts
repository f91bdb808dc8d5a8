/** Memory in the prompt of a LangGraph agent: what is remembered about the last question, in front of the messages. */
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { checkOptions, OWNER_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { AdapterOptions } from '../common/options.ts';
import { rememberedText } from '../common/remembered-text.ts';
import { Trouble } from '../common/trouble.ts';

/**
 * Makes the messages for the model out of those of the state, for the `prompt` of an agent or in a node of your own. The
 * state itself does not change. When memory fails, the messages are returned as they are, unless `strict` is set.
 */
export function memoryPrompt(options: AdapterOptions = {}) {
  checkOptions('memoryPrompt', options, { ...OWNER_OPTIONS, thread: true, ...TROUBLE_OPTIONS });
  const handle = memoryOf(options);
  const trouble = new Trouble('keepsake/langgraph', options);
  return async ({ messages }: { readonly messages: readonly BaseMessage[] }): Promise<BaseMessage[]> => {
    const asked = messages.findLast((message) => message.getType() === 'human');
    const text = await trouble.read(() => rememberedText(handle, asked?.text ?? ''));
    return text === undefined || text === '' ? [...messages] : [new SystemMessage(text), ...messages];
  };
}
