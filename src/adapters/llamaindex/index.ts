/** Keepsake for LlamaIndex.TS: `createMemory({ memoryBlocks: [keepsakeBlock({ user, thread })] })`. */
import { checkOptions, OWNER_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { AdapterOptions } from '../common/options.ts';
import { rememberedText } from '../common/remembered-text.ts';
import { Trouble } from '../common/trouble.ts';

export interface KeepsakeBlockOptions extends AdapterOptions {
  /** Default: "keepsake". */
  readonly id?: string | undefined;
  /** As for every memory block: 0 is always in the prompt. Default: 1. */
  readonly priority?: number | undefined;
}

interface BlockMessage {
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages of LlamaIndex have many kinds of content.
  content: any;
  // biome-ignore lint/suspicious/noExplicitAny: and roles of their own type.
  role: any;
}

/** A memory block: what fits the last message enters the prompt, and messages that leave the window are saved. */
export interface KeepsakeBlock {
  readonly id: string;
  readonly priority: number;
  readonly isLongTerm: boolean;
  get(messages?: BlockMessage[]): Promise<BlockMessage[]>;
  put(messages: BlockMessage[]): Promise<void>;
}

export function keepsakeBlock(options: KeepsakeBlockOptions = {}): KeepsakeBlock {
  const names = { ...OWNER_OPTIONS, thread: true, ...TROUBLE_OPTIONS, id: true, priority: true } as const;
  checkOptions('keepsakeBlock', options, names);
  const { id = 'keepsake', priority = 1, ...whose } = options;
  const handle = memoryOf(whose);
  const trouble = new Trouble('keepsake/llamaindex', options);
  return {
    ...{ id, priority, isLongTerm: true },
    get: async (messages = []) => {
      const asked = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
      const task = asked === undefined ? '' : textOf(asked.content);
      const content = await trouble.read(() => rememberedText(handle, task));
      return content === undefined || content === '' ? [] : [{ id: `${id}-memory`, role: 'memory', content }];
    },
    put: async (messages) => {
      for (const { role, content } of messages) {
        const text = textOf(content);
        if (text.trim() === '' || role === 'memory') continue;
        await trouble.write(() => handle.log.add(role === 'assistant' ? 'assistant' : 'user', text));
      }
    },
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: { text?: unknown }) => (typeof part?.text === 'string' ? [part.text] : []))
    .join('\n');
}
