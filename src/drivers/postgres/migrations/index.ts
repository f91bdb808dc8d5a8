/** The schema's history. Forward only: a released migration never changes, a new one is appended. */
import { records } from './0001-records.ts';
import { streams } from './0002-streams.ts';
import { runs } from './0003-runs.ts';
import { leases } from './0004-leases.ts';
import { vectorsAside } from './0005-vectors-aside.ts';
import { vectorFeed } from './0006-vector-feed.ts';
import { swarms } from './0007-swarms.ts';
import { items } from './0008-items.ts';
import { users } from './0009-users.ts';
import { userThreads } from './0010-threads.ts';
import { recordChanges } from './0011-record-changes.ts';

export const MIGRATIONS: readonly string[] = [
  records,
  streams,
  runs,
  leases,
  vectorsAside,
  vectorFeed,
  swarms,
  items,
  users,
  userThreads,
  recordChanges,
];
