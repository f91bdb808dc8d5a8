/** Reading streams, whose entries are numbered by us: `7-0` is number 7. */
import type { Commands, RedisConnection } from './connection.ts';

export interface Entry {
  readonly seq: number;
  readonly fields: Readonly<Record<string, string>>;
}

type RawEntry = readonly [id: string, fields: readonly string[]];

/** How long one look waits for news; afterwards it is checked whether there can be any. */
const WAIT_MS = 250;
const PAGE = 500;

function toEntry([id, list]: RawEntry): Entry {
  const fields: Record<string, string> = {};
  for (let i = 0; i < list.length; i += 2) fields[list[i]!] = list[i + 1]!;
  return { seq: Number(id.split('-')[0]), fields };
}

export async function readStream(
  redis: Commands,
  key: string,
  after: number,
  limit: number,
): Promise<readonly Entry[]> {
  const entries = await redis.command('XRANGE', key, `${after + 1}-0`, '+', 'COUNT', String(limit));
  return (entries as readonly RawEntry[]).map(toEntry);
}

/** Entries as they come, until the signal says so, the connection is closed, or `isOver` answers yes in a pause. */
export async function* followStream(
  connection: RedisConnection,
  key: string,
  start: { readonly after: number; readonly signal?: AbortSignal | undefined },
  isOver: () => Promise<boolean>,
): AsyncGenerator<Entry> {
  const { signal } = start;
  let { after } = start;
  if (signal?.aborted || connection.closed) return;
  const waiting = connection.blocking();
  const isDone = (): boolean => signal?.aborted === true || connection.closed;
  signal?.addEventListener('abort', waiting.stop, { once: true });
  try {
    while (!isDone()) {
      const args = ['XREAD', 'BLOCK', String(WAIT_MS), 'COUNT', String(PAGE), 'STREAMS', key, `${after}-0`];
      const answer = (await waiting.command(args, WAIT_MS)) as
        | readonly [string, readonly RawEntry[]][]
        | null;
      for (const raw of answer?.[0]?.[1] ?? []) {
        const entry = toEntry(raw);
        after = entry.seq;
        yield entry;
        if (isDone()) return;
      }
      if (answer === null && (await isOver())) return;
    }
  } catch (error) {
    // Whoever stopped it wants to hear nothing more.
    if (!isDone()) throw error;
  } finally {
    signal?.removeEventListener('abort', waiting.stop);
    waiting.stop();
  }
}
