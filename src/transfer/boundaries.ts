/** What is noted about threads besides their messages: where the view begins, and since when one is archived. */
import { archivedAt } from '../conversation/index.ts';
import { archiveKey } from '../kernel/threads.ts';
import type { LogStore } from '../ports/log-store.ts';

/** Told by the id of a message: the numbers of messages differ from store to store. */
export interface Boundary {
  readonly agent: string;
  readonly thread: string;
  /** Id of the last message that was compacted away. */
  readonly after: string;
}

export async function* boundaries(
  log: LogStore,
  whose?: Parameters<LogStore['threads']>[0],
): AsyncGenerator<Boundary> {
  for (const { agent: owner, thread } of await log.threads(whose)) {
    const boundary = await log.boundary(owner, thread);
    if (boundary === 0) continue;
    const place = { agent: owner, thread, before: boundary + 1, newest: true, includeDeleted: true };
    const [last] = await log.read({ ...place, limit: 1 });
    if (last !== undefined) yield { agent: owner, thread, after: last.id };
  }
}

export interface ArchivedThread {
  readonly agent: string;
  readonly thread: string;
  readonly at: number;
}

export async function* archivedThreads(
  log: LogStore,
  whose?: Parameters<LogStore['threads']>[0],
): AsyncGenerator<ArchivedThread> {
  for (const { agent, thread } of await log.threads(whose)) {
    const at = await archivedAt(log, agent, thread);
    if (at !== null) yield { agent, thread, at };
  }
}

/** What is archived already keeps its time. */
export async function archiveAgain(log: LogStore, { agent, thread, at }: ArchivedThread): Promise<void> {
  if ((await archivedAt(log, agent, thread)) !== null) return;
  await log.append([], { journal: { key: archiveKey(agent, thread), entry: { at } } });
}
