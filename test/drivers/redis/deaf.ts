/** A main store whose own way of telling is turned off: whoever hears of its events has heard of them through Redis. */
import { withRedis } from '../../../src/drivers/redis/index.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';

export interface DeafStorage extends Storage {
  /** How often Redis has made it ask for the newest number. */
  readonly asked: () => number;
}

/** Nobody listens to the engine, and who asks for the newest number now and then learns nothing. */
export async function onlyThroughRedis(main: Storage, url: string): Promise<DeafStorage> {
  let asked = 0;
  const { events } = main;
  const silent: EventStore = {
    append: (drafts) => events.append(drafts),
    mirror: (copies) => events.mirror(copies),
    remove: (seqs) => events.remove(seqs),
    read: (query) => events.read(query),
    identity: () => events.identity!(),
    onCommit: (committed) => events.onCommit!(committed),
    latest: () => {
      asked += 1;
      return events.latest();
    },
  };
  const storage = await withRedis({ ...main, events: silent }, { url });
  return { ...storage, events: { ...storage.events, latest: async () => 0 }, asked: () => asked };
}
