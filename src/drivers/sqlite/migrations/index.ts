/** The schema's history. Forward only: a released migration never changes, a new one is appended. */
import { records } from './0001-records.ts';
import { log } from './0002-log.ts';
import { state } from './0003-state.ts';
import { events } from './0004-events.ts';
import { vectors } from './0005-vectors.ts';
import { threads } from './0006-threads.ts';
import { quarantine } from './0007-quarantine.ts';
import { runs } from './0008-runs.ts';
import { filters } from './0009-filters.ts';
import { leases } from './0010-leases.ts';
import { vectorsAside } from './0011-vectors-aside.ts';
import { vectorFeed } from './0012-vector-feed.ts';
import { documents } from './0013-documents.ts';
import { swarms } from './0014-swarms.ts';
import { items } from './0015-items.ts';
import { users } from './0016-users.ts';
import { tokens } from './0017-tokens.ts';

export const MIGRATIONS: readonly string[] = [
  records,
  log,
  state,
  events,
  vectors,
  threads,
  quarantine,
  runs,
  filters,
  leases,
  vectorsAside,
  vectorFeed,
  documents,
  swarms,
  items,
  users,
  tokens,
];
export const SCHEMA_VERSION = MIGRATIONS.length;
