/** Where the views of conversations begin, told by the id of a message: the numbers of messages differ from store to store. */
import type { LogStore } from '../ports/log-store.ts';

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
