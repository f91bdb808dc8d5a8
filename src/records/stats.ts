/** Statistics by day: growth, hit rate and token use. */

import type { Caller } from '../kernel/caller.ts';
import { type Clock, DAY } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventType, KeepsakeEvent } from '../kernel/events.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { Storage } from '../ports/storage.ts';
import type { RecordService } from './record-service.ts';

const READ = 1_000;
/** More groups than a person compares; the rest is counted as one. */
const MOST_GROUPS = 50;
const COUNTED: readonly EventType[] = ['memory.recalled', 'memory.blocked', 'session.receipt'];

export interface StatsServices {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly records: RecordService;
}

export interface DayStats {
  /** Such as 2026-11-16, in UTC. */
  readonly day: string;
  added: number;
  /** Live at the end of the day. */
  live: number;
  /** How often memory was put into a prompt, or nothing fitting was found for it. */
  recalls: number;
  /** Of these, how often at least one memory fitted. */
  hits: number;
  prompts: number;
  /** Estimated tokens of all prompts, and how many of them were memories. */
  tokens: number;
  memoryTokens: number;
  blocked: number;
}

type Counts = Readonly<Record<string, number>>;

export interface MemoryStats {
  readonly days: readonly DayStats[];
  readonly states: Readonly<Record<'live' | 'expired' | 'forgotten', number>>;
  readonly pinned: number;
  /** Live memories, most first; beyond fifty groups the rest is counted under "…". */
  readonly agents: Counts;
  readonly sources: Counts;
  readonly categories: Counts;
}

interface ReceiptNumbers {
  readonly slots?: readonly { readonly slot: string; readonly tokens: number }[];
  readonly total?: { readonly tokens: number };
}

async function* everyRecord(records: RecordService): AsyncGenerator<MemoryRecord> {
  for (let after: string | undefined; ; ) {
    const query = { state: 'any', limit: READ, ...defined({ after }) } as const;
    const page = await records.list(query, { viewer: { role: 'admin' }, via: 'system' });
    yield* page;
    if (page.length < READ) return;
    after = page.at(-1)!.id;
  }
}

async function* everyEvent({ storage }: StatsServices): AsyncGenerator<KeepsakeEvent> {
  for (let after = 0; ; ) {
    const page = await storage.events.read({ after, types: COUNTED, limit: READ });
    yield* page;
    if (page.length < READ) return;
    after = page.at(-1)!.seq;
  }
}

function largest(counts: ReadonlyMap<string, number>): Counts {
  const ordered = [...counts].sort(([, a], [, b]) => b - a);
  const rest = ordered.slice(MOST_GROUPS).reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries([
    ...ordered.slice(0, MOST_GROUPS),
    ...(rest === 0 ? [] : [['…', rest] as const]),
  ]);
}

function emptyDays(first: number, count: number): DayStats[] {
  return Array.from({ length: count }, (_, i) => ({
    day: new Date((first + i) * DAY).toISOString().slice(0, 10),
    ...{ added: 0, live: 0, recalls: 0, hits: 0, prompts: 0, tokens: 0, memoryTokens: 0, blocked: 0 },
  }));
}

/** When a memory stopped to hold; undefined while it does. */
function endOf({ state, expiresAt, forgottenAt }: MemoryRecord): number | undefined {
  if (state === 'live') return undefined;
  return Math.min(expiresAt ?? Infinity, forgottenAt ?? Infinity);
}

async function countRecords(records: RecordService, days: DayStats[], first: number) {
  const groups = { agents: new Map(), sources: new Map(), categories: new Map() } as Record<
    'agents' | 'sources' | 'categories',
    Map<string, number>
  >;
  const add = (group: Map<string, number>, name: string) => group.set(name, (group.get(name) ?? 0) + 1);
  const states = { live: 0, expired: 0, forgotten: 0 };
  const changes = days.map(() => 0);
  let pinned = 0;
  const change = (at: number, by: number) => {
    const place = Math.max(0, Math.floor(at / DAY) - first);
    if (place < changes.length) changes[place]! += by;
  };
  for await (const record of everyRecord(records)) {
    states[record.state]++;
    const day = days[Math.floor(record.createdAt / DAY) - first];
    if (day !== undefined) day.added++;
    change(record.createdAt, 1);
    const end = endOf(record);
    if (end !== undefined) change(Math.max(end, record.createdAt), -1);
    if (record.state !== 'live') continue;
    if (record.pinned) pinned++;
    add(groups.agents, record.agent);
    add(groups.sources, record.source);
    add(groups.categories, record.category);
  }
  let live = 0;
  for (const [i, day] of days.entries()) {
    live += changes[i]!;
    day.live = live;
  }
  const { agents, sources, categories } = groups;
  return {
    ...{ states, pinned, agents: largest(agents), sources: largest(sources) },
    categories: largest(categories),
  };
}

async function countEvents(services: StatsServices, days: readonly DayStats[], first: number): Promise<void> {
  for await (const event of everyEvent(services)) {
    const day = days[Math.floor(event.at / DAY) - first];
    if (day === undefined) continue;
    if (event.type === 'memory.blocked') day.blocked++;
    if (event.type === 'memory.recalled') {
      day.recalls++;
      if (event.entryCount > 0) day.hits++;
    }
    if (event.type === 'session.receipt') {
      const { slots = [], total } = event.receipt as ReceiptNumbers;
      day.prompts++;
      day.tokens += total?.tokens ?? 0;
      day.memoryTokens += slots.find(({ slot }) => slot === 'memory')?.tokens ?? 0;
    }
  }
}

/** For the owner: it counts over all agents. */
export async function memoryStatsOf(
  services: StatsServices,
  { days: count }: { readonly days: number },
  { viewer }: Caller,
): Promise<MemoryStats> {
  if (viewer.role !== 'admin') {
    throw new KeepsakeError('FORBIDDEN', 'These figures cover all agents.', {
      hint: 'The owner of the workspace, or a key with the role admin, can ask for them.',
    });
  }
  const first = Math.floor(services.clock.now() / DAY) - count + 1;
  const days = emptyDays(first, count);
  const counted = await countRecords(services.records, days, first);
  await countEvents(services, days, first);
  return { days, ...counted };
}
