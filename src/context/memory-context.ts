/** Memory as a text for the prompt of an agent that somebody else runs: what always holds, and what a task calls for. */

import { type Config, resolveAgentConfig } from '../config/index.ts';
import { agentOf, type Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { EventDraft, EventHub } from '../kernel/events.ts';
import type { Storage } from '../ports/storage.ts';
import type { RecalledMemory, RecordService } from '../records/index.ts';
import { assemble } from './assembler.ts';

export interface ContextParts {
  readonly records: RecordService;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly config: Config;
  readonly hub: EventHub;
}

export interface ContextQuery {
  /** Without a task, only what always holds. */
  readonly task?: string;
  /** `relevant`: what always holds was shown before. Default: both. */
  readonly only?: 'relevant';
  /** Default: `memory.maxCharsInjected` of the agent. */
  readonly maxChars?: number;
}

export interface MemoryContext {
  /** Inside the fence that marks it as background; empty when there is nothing to say. */
  readonly text: string;
  readonly ids: readonly string[];
  readonly characters: number;
}

const MOST_GATHERED = 100_000;

export async function memoryContext(
  parts: ContextParts,
  query: ContextQuery,
  caller: Caller,
): Promise<MemoryContext> {
  const agent = agentOf(caller);
  // Not `memory.enabled`: that is about agents which Keepsake runs, and whoever asks here has connected memory himself.
  const { maxCharsInjected } = resolveAgentConfig(parts.config, agent).memory;
  const maxChars = query.maxChars ?? maxCharsInjected;
  const { messages, receipt, recalled } = assemble({
    now: parts.clock.now(),
    agent,
    clock: 'none',
    memory: await gather(parts, query, maxChars, caller),
    history: [],
    budgets: { maxCharsInjected: maxChars },
  });
  return {
    text: messages.map(({ content }) => content).join('\n\n'),
    ids: receipt.memories.map(({ id }) => id),
    characters: recalled.charsInjected,
  };
}

async function gather(
  { records }: ContextParts,
  { task, only }: ContextQuery,
  maxChars: number,
  caller: Caller,
): Promise<Pick<RecalledMemory, 'standing' | 'relevant'>> {
  if (task === undefined) {
    const { memories } = await records.standing({ maxChars }, caller);
    return { standing: memories, relevant: [] };
  }
  // The assembler chooses by what entries take as they are shown; it needs more to choose from than fits.
  const { standing, relevant } = await records.recall({ task, maxChars: MOST_GATHERED }, caller);
  return { standing: only === 'relevant' ? [] : standing, relevant };
}

/** That a context was used; apart from making it, because whoever waits for the text need not wait for this. */
export async function noteContextUsed(
  { storage, clock, hub }: ContextParts,
  { ids, characters }: MemoryContext,
  { viewer, via, session }: Caller,
): Promise<void> {
  if (ids.length === 0) return;
  const now = clock.now();
  await storage.records.countAccess(ids, 'injection', now);
  const event: EventDraft = {
    type: 'memory.recalled',
    at: now,
    via,
    entryCount: ids.length,
    charsInjected: characters,
    ...defined({ agent: viewer.agent, session }),
  };
  hub.publish(await storage.events.append([event]));
}
