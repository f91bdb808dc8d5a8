/** The suite that every record store passes. */
import { recordAccess } from './record-access.ts';
import { recordConcurrency } from './record-concurrency.ts';
import { recordLifecycle } from './record-lifecycle.ts';
import { recordQueries } from './record-queries.ts';
import { recordSurroundings } from './record-surroundings.ts';
import { recordTrust } from './record-trust.ts';
import { recordUsers } from './record-users.ts';
import { recordVectors } from './record-vectors.ts';
import { recordVersions } from './record-versions.ts';
import { recordWrites } from './record-writes.ts';
import { type ConformanceOptions, registerSuite, type StoreOf } from './suite.ts';

export function recordStoreConformance(options: ConformanceOptions<StoreOf<'records'>>): void {
  registerSuite(
    'record store',
    {
      ...recordWrites,
      ...recordVersions,
      ...recordLifecycle,
      ...recordAccess,
      ...recordTrust,
      ...recordUsers,
      ...recordQueries,
      ...recordConcurrency,
      ...recordVectors,
      ...recordSurroundings,
    },
    options,
  );
}
