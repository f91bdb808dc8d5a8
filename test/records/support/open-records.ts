/** Long-term memory put together by hand, where a test needs a part that the client does not show. */
import { onTestFinished } from 'vitest';
import { openSqlite, type SqliteOptions } from '../../../src/drivers/sqlite/index.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { EventHub } from '../../../src/kernel/events.ts';
import { createIds } from '../../../src/kernel/ids.ts';
import { DEFAULT_TTL } from '../../../src/kernel/record.ts';
import type { EmbeddingModel } from '../../../src/ports/embedding-model.ts';
import { Embedder, RecordService } from '../../../src/records/index.ts';
import { fakeClock } from '../../../src/testing/index.ts';

export interface RecordsOptions extends SqliteOptions {
  readonly open: () => Promise<EmbeddingModel>;
  readonly clock?: Clock;
  readonly patienceMs?: number;
  readonly openStored?: (id: string) => Promise<EmbeddingModel | undefined>;
}

export const ALICE = { viewer: { agent: 'alice', role: 'worker' }, via: 'sdk' } as const;

export async function openRecords(parts: RecordsOptions) {
  const { open, openStored, clock = fakeClock(), patienceMs, ...options } = parts;
  const storage = await openSqlite(options);
  const embedder = new Embedder({
    vectors: storage.records.vectors,
    open,
    openStored,
    clock,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  onTestFinished(async () => {
    await embedder.close();
    await storage.close();
  });
  const records = new RecordService({
    store: storage.records,
    events: storage.events,
    hub: new EventHub(),
    clock,
    ids: createIds(clock),
    guard: { inspect: () => ({ allowed: true, reasons: [] }) },
    embedder,
    policyFor: () => ({
      maxEntries: 100_000,
      readOnly: false,
      ttl: DEFAULT_TTL,
      ranking: {
        profile: 'classic',
        recencyHalfLifeDays: 14,
        accessBoostMax: 1.5,
        accessRecencyHours: 48,
        candidateMultiplier: 3,
      },
    }),
  });
  return { storage, embedder, records };
}
