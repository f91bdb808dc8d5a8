/** Sessions for the inspector: prompts, the memories that the model saw and why, answers, and cost. */
import { contentText, type MessageContent } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventOf } from '../kernel/events.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { Viewer } from '../kernel/scope.ts';
import type { LogMessage } from '../ports/log-store.ts';
import type { Storage } from '../ports/storage.ts';
import type { Receipt } from './receipt.ts';

const PAGE = 1_000;
/** How many events are looked through at first, and how many times as many each time they were too few. */
const REACH = 2_000;
const FURTHER = 8;
const TITLE_LENGTH = 300;
const TYPES = ['session.receipt', 'session.completed', 'session.failed', 'session.aborted'] as const;

type StoryEvent = EventOf<(typeof TYPES)[number]>;
type Stores = Pick<Storage, 'events' | 'log' | 'records'>;
export type PromptOutcome = 'completed' | 'failed' | 'aborted';

export interface SessionSummary {
  readonly session: string;
  readonly agent: string | null;
  readonly user: string | null;
  readonly firstPrompt: string | null;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly firstSeq: number;
  readonly prompts: number;
  readonly tokens: number;
  readonly cost: number | null;
  readonly outcome: PromptOutcome | null;
}

export interface StoryMessage {
  readonly id: string;
  readonly role: string;
  readonly content: JsonValue;
  readonly at: number;
}

export interface ModelCallStory {
  readonly seq: number;
  readonly loop: number;
  readonly at: number;
  readonly receipt: Receipt;
  readonly texts: Readonly<Record<string, string>>;
}

export interface PromptStory {
  readonly calls: ModelCallStory[];
  readonly messages: readonly StoryMessage[];
  readonly outcome: PromptOutcome | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
}

export interface SessionStory {
  readonly session: string;
  readonly agent: string | null;
  readonly user: string | null;
  readonly prompts: readonly PromptStory[];
}

/** The events of one prompt: its calls of the model, and how it ended. */
interface PromptEvents {
  readonly calls: EventOf<'session.receipt'>[];
  end?: Exclude<StoryEvent, { type: 'session.receipt' }>;
}

interface Wanted {
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly session?: string | undefined;
}

const isReceipt = (event: StoryEvent): event is EventOf<'session.receipt'> =>
  event.type === 'session.receipt';
const outcomeOf = ({ type }: Required<PromptEvents>['end']): PromptOutcome =>
  type.slice('session.'.length) as PromptOutcome;
const receiptOf = ({ receipt }: EventOf<'session.receipt'>): Receipt => receipt as unknown as Receipt;

/** An agent sees only its own, and with a user only those of this user. */
function narrowed(wanted: Wanted, viewer: Viewer): Wanted & { isTheirs(event: StoryEvent): boolean } {
  const isOwner = viewer.role === 'admin';
  const user = isOwner ? wanted.user : viewer.user;
  const agent = isOwner ? wanted.agent : (viewer.agent ?? '');
  return { ...wanted, agent, isTheirs: (event) => (isOwner && user === undefined) || event.user === user };
}

async function readSince({ events }: Stores, since: number, wanted: Wanted, viewer: Viewer) {
  const { agent, session, isTheirs } = narrowed(wanted, viewer);
  const found: StoryEvent[] = [];
  for (let after = since; ; ) {
    const query = { after, types: TYPES, limit: PAGE };
    const page = (await events.read(
      agent === undefined ? query : { ...query, agent },
    )) as readonly StoryEvent[];
    const isWanted = (event: StoryEvent) => session === undefined || event.session === session;
    found.push(...page.filter((event) => isTheirs(event) && isWanted(event)));
    if (page.length < PAGE) return found;
    after = page.at(-1)!.seq;
  }
}

function bySession(events: readonly StoryEvent[]): Map<string, StoryEvent[]> {
  const groups = new Map<string, StoryEvent[]>();
  for (const event of events) {
    if (event.session === undefined) continue;
    const group = groups.get(event.session) ?? [];
    groups.set(event.session, [...group, event]);
  }
  return groups;
}

/** A first call of the model begins a prompt, and its end closes it. */
function byPrompt(events: readonly StoryEvent[]): PromptEvents[] {
  const prompts: PromptEvents[] = [];
  for (const event of events) {
    const last = prompts.at(-1);
    const isOpen = last !== undefined && last.end === undefined;
    if (isReceipt(event)) {
      if (isOpen && event.loop > 1) last.calls.push(event);
      else prompts.push({ calls: [event] });
    } else if (isOpen) last.end = event;
    else prompts.push({ calls: [], end: event });
  }
  return prompts;
}

const messageIds = ({ calls, end }: PromptEvents): readonly string[] => {
  const task = calls[0]?.task;
  return end?.messages ?? (task === undefined ? [] : [task]);
};

async function readMessages({ log }: Stores, ids: readonly string[], agent: string | undefined) {
  const found = await Promise.all(ids.map((id) => log.get(id)));
  return found.filter(
    (message): message is LogMessage =>
      message !== null && message.deletedAt === null && message.agent === agent,
  );
}

/** Null when no price is known. */
function sumOfCosts(prompts: readonly PromptEvents[]): number | null {
  const known = prompts.flatMap(({ end }) => (typeof end?.cost === 'number' ? [end.cost] : []));
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

async function summaryOf(stores: Stores, session: string, events: readonly StoryEvent[]) {
  const [first, last] = [events[0]!, events.at(-1)!];
  const prompts = byPrompt(events);
  const [task] = await readMessages(stores, prompts.flatMap(messageIds).slice(0, 1), first.agent);
  const receipts = events.filter(isReceipt);
  const { end } = prompts.at(-1)!;
  return {
    session,
    agent: first.agent ?? null,
    user: first.user ?? null,
    firstPrompt:
      task === undefined
        ? null
        : contentText(task.content as MessageContent)
            .slice(0, TITLE_LENGTH)
            .toWellFormed(),
    firstAt: first.at,
    lastAt: last.at,
    firstSeq: first.seq,
    prompts: prompts.length,
    tokens: receipts.reduce((sum, event) => sum + receiptOf(event).total.tokens, 0),
    cost: sumOfCosts(prompts),
    outcome: end === undefined ? null : outcomeOf(end),
  } satisfies SessionSummary;
}

/** The newest sessions, the newest first; looks ever further back until there are enough. */
export async function listSessions(
  stores: Stores,
  { limit, ...wanted }: Omit<Wanted, 'session'> & { readonly limit: number },
  { viewer }: Caller,
): Promise<{ sessions: SessionSummary[]; more: boolean }> {
  const latest = await stores.events.latest();
  for (let reach = REACH; ; reach *= FURTHER) {
    const since = Math.max(0, latest - reach);
    const groups = [...bySession(await readSince(stores, since, wanted, viewer))];
    // One more than wanted: what is cut off at the beginning belongs to the oldest.
    if (since > 0 && groups.length <= limit) continue;
    const newest = groups.sort(([, a], [, b]) => b.at(-1)!.seq - a.at(-1)!.seq);
    const shown = newest.slice(0, limit).map(([session, events]) => summaryOf(stores, session, events));
    return { sessions: await Promise.all(shown), more: newest.length > limit };
  }
}

/** The text of each memory as it was when the prompt was put together; without those that were erased since. Counts no access. */
async function textsAt({ records }: Stores, { memories, dropped, at }: Receipt, viewer: Viewer) {
  const named = [...memories.map(({ id }) => id), ...dropped.map(({ id }) => id)];
  const ids = new Set(named.filter((id): id is string => id?.startsWith('mem_') === true));
  const texts = await Promise.all(
    [...ids].map(async (id) => {
      const versions = (await records.history(id, viewer)).filter((version) => version.id === id);
      const seen = versions.findLast(({ changedAt }) => changedAt <= at) ?? versions[0];
      return [id, seen?.content ?? ''] as const;
    }),
  );
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

async function storyOf(stores: Stores, prompt: PromptEvents, viewer: Viewer): Promise<PromptStory> {
  const { calls, end } = prompt;
  const agent = (calls[0] ?? end)?.agent;
  const [messages, told] = await Promise.all([
    readMessages(stores, messageIds(prompt), agent),
    Promise.all(
      calls.map(async (event) => {
        const receipt = receiptOf(event);
        const { seq, loop, at } = event;
        return { seq, loop, at, receipt, texts: await textsAt(stores, receipt, viewer) };
      }),
    ),
  ]);
  return {
    calls: told,
    messages: messages.map(({ id, role, content, at }) => ({ id, role, content, at })),
    outcome: end === undefined ? null : outcomeOf(end),
    inputTokens: end?.inputTokens ?? null,
    outputTokens: end?.outputTokens ?? null,
    cost: end?.cost ?? null,
  };
}

export async function getSession(
  stores: Stores,
  { session, after = 0 }: { readonly session: string; readonly after?: number | undefined },
  { viewer }: Caller,
): Promise<SessionStory> {
  const events = await readSince(stores, after, { session }, viewer);
  const [first] = events;
  if (first === undefined) {
    throw new KeepsakeError('NOT_FOUND', `Session ${session} has no receipt.`, {
      hint: 'List the sessions with session.list.',
    });
  }
  const prompts = await Promise.all(byPrompt(events).map((prompt) => storyOf(stores, prompt, viewer)));
  return { session, agent: first.agent ?? null, user: first.user ?? null, prompts };
}
