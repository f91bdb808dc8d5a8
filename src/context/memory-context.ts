/** Memory as text for a prompt of an external agent: standing memory, and what is relevant to a task. */

import { type Config, resolveAgentConfig } from '../config/index.ts';
import { type EarlierTurns, earlierTurns } from '../conversation/index.ts';
import { type Caller, NO_AGENT, ownerOf } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { EventDraft, EventHub } from '../kernel/events.ts';
import type { JsonObject } from '../kernel/json.ts';
import { passageOf } from '../kernel/passage.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { Storage } from '../ports/storage.ts';
import type { RecalledMemory, RecordService } from '../records/index.ts';
import { type Assembled, assemble } from './assembler.ts';
import type { AssembleInput } from './input.ts';

import type { Receipt } from './receipt.ts';

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
  /** How many exchanges of earlier threads at most, where the budget has room for them. Default 0. */
  readonly threads?: number;
  /** Memories to leave out, for example those that this conversation was shown before. */
  readonly leaveOut?: (memory: MemoryRecord) => boolean;
}

export interface MemoryContext {
  /** Inside the fence that marks it as background; empty when there is nothing to say. */
  readonly text: string;
  readonly ids: readonly string[];
  /** The same memories with their versions: one that changed since is another. */
  readonly shown: readonly Pick<MemoryRecord, 'id' | 'version'>[];
  readonly characters: number;
  readonly receipt: Receipt;
}

const MOST_GATHERED = 100_000;
/** A memory that would take more of the budget than this is shown in part, so that others have room too. */
const LARGEST_SHARE = 0.5;

export async function memoryContext(
  parts: ContextParts,
  query: ContextQuery,
  caller: Caller,
): Promise<MemoryContext> {
  const { agent } = ownerOf(caller);
  // Not `memory.enabled`: that is about agents which Keepsake runs, and whoever asks here has connected memory himself.
  const settings = agent === NO_AGENT ? parts.config : resolveAgentConfig(parts.config, agent);
  const { maxCharsInjected } = settings.memory;
  const maxChars = query.maxChars ?? maxCharsInjected;
  const memory = await gather(parts, query, maxChars, caller);
  const earlier = await saidEarlier(parts, query, caller);
  const written = (more: Partial<AssembleInput>) =>
    assemble({
      now: parts.clock.now(),
      agent,
      session: caller.session,
      clock: 'none',
      memory,
      history: [],
      ...more,
      budgets: { maxCharsInjected: maxChars, ...more.budgets },
    });
  const alone = written({});
  // Memories come first; what was said earlier gets the room that they leave.
  const room = maxChars - textOf(alone).length - 2;
  const both = earlier.length === 0 ? alone : written({ earlier, budgets: { maxCharsThreads: room } });
  const { messages: _, receipt, recalled } = both;
  const ids = receipt.memories.map(({ id }) => id);
  return {
    text: textOf(both),
    ids,
    shown: [...memory.standing, ...memory.relevant].filter(({ id }) => ids.includes(id)),
    characters: recalled.charsInjected,
    receipt,
  };
}

const textOf = ({ messages }: Assembled): string => messages.map(({ content }) => content).join('\n\n');

async function saidEarlier(
  { storage }: ContextParts,
  { task, threads = 0 }: ContextQuery,
  caller: Caller,
): Promise<readonly EarlierTurns[]> {
  return task === undefined ? [] : earlierTurns(storage.log, { query: task, limit: threads }, caller);
}

async function gather(
  { records }: ContextParts,
  { task, only, leaveOut = () => false }: ContextQuery,
  maxChars: number,
  caller: Caller,
): Promise<Pick<RecalledMemory, 'standing' | 'relevant'>> {
  const most = Math.floor(maxChars * LARGEST_SHARE);
  const inPart = <T extends MemoryRecord>(memories: readonly T[]): T[] =>
    memories
      .filter((memory) => !leaveOut(memory))
      .map((memory) => ({ ...memory, content: passageOf(memory.content, task, most) }));
  if (task === undefined) {
    const { memories } = await records.standing({ maxChars: MOST_GATHERED }, caller);
    return { standing: inPart(memories), relevant: [] };
  }
  // The assembler chooses by what entries take as they are shown; it needs more to choose from than fits.
  const { standing, relevant } = await records.recall({ task, maxChars: MOST_GATHERED }, caller);
  return { standing: only === 'relevant' ? [] : inPart(standing), relevant: inPart(relevant) };
}

/** That a context was used; apart from making it, because whoever waits for the text need not wait for this. */
export async function noteContextUsed(
  { storage, clock, hub }: ContextParts,
  { ids, characters, receipt }: MemoryContext,
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
    ...defined({ agent: viewer.agent, user: viewer.user, session }),
  };
  const kept: EventDraft = {
    ...{ at: now, via, ...defined({ agent: viewer.agent, session }) },
    ...{ type: 'session.receipt', loop: 1, receipt: receipt as unknown as JsonObject },
  };
  // Outside of a session nobody could ask for the receipt.
  const events = session === undefined ? [event] : [event, kept];
  hub.publish(await storage.events.append(events));
}
