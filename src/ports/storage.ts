/** Port: the stores that one engine offers, opened together and closed together. */
import type { Erasing } from './erasing.ts';
import type { EventStore } from './event-store.ts';
import type { ItemStore } from './item-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { LogStore } from './log-store.ts';
import type { Maintenance } from './maintenance.ts';
import type { MessageBus } from './message-bus.ts';
import type { QuarantineStore } from './quarantine-store.ts';
import type { RecordCopies } from './record-copies.ts';
import type { RecordStore } from './record-store.ts';
import type { RequestLimits } from './request-limits.ts';
import type { RunStore } from './run-store.ts';
import type { StateStore } from './state-store.ts';
import type { TokenStore } from './token-store.ts';
import type { IndexStatus, VectorFeed } from './vector-feed.ts';

export interface Storage {
  readonly records: RecordStore;
  /** For archives of the whole; an engine without it cannot take one in or give one out. */
  readonly copies?: RecordCopies;
  /** For an index of vectors outside; an engine without it cannot have one. */
  readonly feed?: VectorFeed;
  /** How the index outside is doing, where there is one. */
  readonly indexStatus?: () => Promise<IndexStatus>;
  /** For late interaction; an engine without it searches without. */
  readonly tokens?: TokenStore;
  readonly log: LogStore;
  readonly state: StateStore;
  readonly bus: MessageBus;
  readonly runs: RunStore;
  readonly events: EventStore;
  readonly leases: LeaseStore;
  /** Where servers count requests together; without it each counts for itself. */
  readonly limits?: RequestLimits;
  readonly quarantine: QuarantineStore;
  readonly items: ItemStore;
  /** For erasing an agent or a user completely; an engine without it cannot. */
  readonly erasing?: Erasing;
  readonly maintenance: Maintenance;
  close(): Promise<void>;
}
