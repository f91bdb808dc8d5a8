/** Maps the resource and thread of a Mastra call to user and thread. */
import type { MastraDBMessage } from '@mastra/core/agent/message-list';
import {
  MASTRA_RESOURCE_ID_KEY,
  MASTRA_THREAD_ID_KEY,
  type RequestContext,
} from '@mastra/core/request-context';
import { defined } from '../../kernel/defined.ts';
import type { WhoseMemory } from '../common/options.ts';
import { TurnMemory, type TurnOptions } from '../common/turn-memory.ts';

/** So many users and threads have an open handle at a time; handles are cheap to make again. */
const MOST_SCOPES = 1_000;

/** What the middleware of a server put into the request context wins over what the caller passed: it is authenticated. */
export function scopeOf(
  context: RequestContext | undefined,
  named: { readonly threadId?: string | undefined; readonly resourceId?: string | undefined } = {},
): WhoseMemory {
  const of = (key: string): string | undefined => {
    const value: unknown = context?.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return defined({
    user: of(MASTRA_RESOURCE_ID_KEY) ?? named.resourceId,
    thread: of(MASTRA_THREAD_ID_KEY) ?? named.threadId,
  });
}

export class Scopes {
  readonly #options: TurnOptions;
  readonly #memories = new Map<string, TurnMemory>();

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** The options of the program name a user and a thread where the call names none. */
  of(scope: WhoseMemory): TurnMemory {
    const whose = { ...this.#options, ...scope };
    const key = JSON.stringify([whose.user, whose.thread]);
    const memory = this.#memories.get(key) ?? new TurnMemory('keepsake/mastra', whose);
    // Moved to the end: the first is the one that was not used for longest.
    this.#memories.delete(key);
    this.#memories.set(key, memory);
    if (this.#memories.size > MOST_SCOPES) this.#memories.delete(this.#memories.keys().next().value!);
    return memory;
  }

  async settled(): Promise<{ readonly waiting: number }> {
    const all = await Promise.all([...this.#memories.values()].map((memory) => memory.settled()));
    return { waiting: all.reduce((sum, { waiting }) => sum + waiting, 0) };
  }
}

export function textOf({ content }: MastraDBMessage): string {
  return content.parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

export function lastFrom(
  messages: readonly MastraDBMessage[],
  role: 'user' | 'assistant',
): MastraDBMessage | undefined {
  return messages.findLast((message) => message.role === role);
}
