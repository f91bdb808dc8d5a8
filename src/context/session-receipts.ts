/** The receipts of a session, one for each model call. */
import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventOf } from '../kernel/events.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Receipt } from './receipt.ts';

const PAGE = 1_000;

export interface ReceiptOf {
  readonly seq: number;
  /** How often the model had been asked for this prompt, with this time. */
  readonly loop: number;
  readonly receipt: Receipt;
}

export interface SessionReceipts {
  readonly session: string;
  readonly agent: string | null;
  readonly receipts: readonly ReceiptOf[];
}

type ReceiptEvent = EventOf<'session.receipt'>;

interface Wanted {
  /** Undefined: those of every user, and those of none. */
  readonly isTheirs?: ((event: ReceiptEvent) => boolean) | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly after?: number | undefined;
  readonly last?: boolean | undefined;
}

/** All receipts after an event, oldest first. */
async function readReceipts(
  events: EventStore,
  { agent, isTheirs = () => true }: Wanted,
  since: number,
): Promise<ReceiptEvent[]> {
  const found: ReceiptEvent[] = [];
  for (let after = since; ; ) {
    const query = { after, types: ['session.receipt'], limit: PAGE } as const;
    const page = await events.read(agent === undefined ? query : { ...query, agent });
    found.push(...(page as readonly ReceiptEvent[]).filter(isTheirs));
    if (page.length < PAGE) return found;
    after = page.at(-1)!.seq;
  }
}

/** Receipts are long and the last session is near the end: looks there first, and ever further back. */
async function receiptsOfLast(events: EventStore, wanted: Wanted): Promise<ReceiptEvent[]> {
  const latest = await events.latest();
  for (let reach = PAGE; ; reach *= 8) {
    const since = Math.max(0, latest - reach);
    const found = await readReceipts(events, wanted, since);
    const last = found.at(-1)?.session;
    // Complete once something of another session comes before it.
    if (since === 0 || found.some(({ session }) => session !== last)) {
      return found.filter(({ session }) => session === last);
    }
  }
}

async function collect(events: EventStore, asked: Wanted): Promise<ReceiptEvent[]> {
  const { session, after } = asked;
  if (session === undefined && after === undefined) return receiptsOfLast(events, asked);
  const found = await readReceipts(events, asked, after ?? 0);
  const wanted = session ?? found.at(-1)?.session;
  return found.filter((event) => event.session === wanted);
}

/** The receipts of one session; an agent sees only its own, with its user only those of this user. */
export async function sessionReceipts(
  events: EventStore,
  { session, agent: named, after, last = false }: Wanted,
  { viewer }: Caller,
): Promise<SessionReceipts> {
  const agent = viewer.role === 'admin' ? named : (viewer.agent ?? '');
  const isTheirs = viewer.role === 'admin' ? undefined : (event: ReceiptEvent) => event.user === viewer.user;
  const found = await collect(events, { session, agent, after, isTheirs });
  const [first] = found;
  if (first === undefined) {
    const whose = agent === undefined ? '' : ` of ${agent}`;
    throw new KeepsakeError(
      'NOT_FOUND',
      session === undefined ? `No session${whose} has a receipt yet.` : `Session ${session} has no receipt.`,
      { hint: 'Run an agent first, with "keepsake run <agent>"; with --json it names its session.' },
    );
  }
  return {
    session: first.session!,
    agent: first.agent ?? null,
    receipts: (last ? found.slice(-1) : found).map(({ seq, loop, receipt }) => ({
      seq,
      loop,
      receipt: receipt as unknown as Receipt,
    })),
  };
}
