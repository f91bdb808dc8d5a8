/** How a run begins, and which runs a query wants, without a database. */
import { expect, it } from 'vitest';
import { NO_USAGE, type RunQuery } from '../../../src/ports/run-store.ts';
import { isWanted, startedRun } from '../../../src/working/rules/runs.ts';

const DRAFT = {
  ...{ id: 'run_1', swarm: 'research', type: 'swarm', task: 'Find it.', participants: [] },
  ...{ startedAt: 1_000, leaseUntil: 5_000, leaseMs: 4_000, usage: NO_USAGE },
};

it('begins running, without an end', () => {
  expect(startedRun(DRAFT)).toEqual({
    ...DRAFT,
    ...{ status: 'running', endedAt: null, reason: null, result: null },
  });
});

it.each<[Partial<RunQuery>, boolean]>([
  [{}, true],
  [{ swarm: 'research' }, true],
  [{ swarm: 'other' }, false],
  [{ status: 'running' }, true],
  [{ status: 'failed' }, false],
  [{ leaseBefore: 5_001 }, true],
  [{ leaseBefore: 5_000 }, false],
  [{ swarm: 'research', status: 'running', leaseBefore: 4_000 }, false],
])('%j wants it: %s', (query, wanted) => {
  expect(isWanted(startedRun(DRAFT), { limit: 10, ...query })).toBe(wanted);
});
