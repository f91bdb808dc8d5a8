/** The event stream of the main store, with Redis notifications between servers. */
import type { EventStore } from '../../ports/event-store.ts';
import type { RedisConnection } from './connection.ts';
import { EventEar } from './event-ear.ts';
import type { NamedEventStore } from './event-news.ts';
import { EventTeller } from './event-teller.ts';

/** Numbers, order and content are those of `main`; how it tells by itself goes on beside. `settled` is for the end. */
export function fannedOut(
  main: NamedEventStore,
  connection: RedisConnection,
): EventStore & { settled(): Promise<void> } {
  let name: Promise<string> | undefined;
  // Asked for once: the last news may have to be told when the store is closed already.
  const identity = (): Promise<string> => {
    name ??= main.identity().catch((error: unknown) => {
      name = undefined;
      throw error;
    });
    return name;
  };
  const teller = new EventTeller(connection, identity);
  const ear = new EventEar(connection, { identity, latest: () => main.latest() });
  main.onCommit((seq) => teller.tell(seq));
  return {
    append: (drafts) => main.append(drafts),
    mirror: (events) => main.mirror(events),
    remove: (seqs) => main.remove(seqs),
    read: (query) => main.read(query),
    latest: () => main.latest(),
    identity,
    onCommit: (told) => main.onCommit(told),
    listen: (heard) => {
      const unsubscribe = [ear.listen(heard), main.listen?.(heard)];
      return () => {
        for (const stop of unsubscribe) stop?.();
      };
    },
    isTelling: () => ear.isSure,
    settled: () => teller.settled(),
  };
}
