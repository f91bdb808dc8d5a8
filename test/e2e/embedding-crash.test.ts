/** kill -9 while memories are embedded: afterwards each has exactly one vector, and it is the one of its text. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/kernel/clock.ts';
import { look } from '../drivers/sqlite/vectors/fixture.ts';
import { programOf } from '../faults/support/program.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { clockAhead } from './support/clock-ahead.ts';
import { hashModel, hashVector } from './support/hash-model.ts';

const PROGRAM = programOf('embedding-child', join(import.meta.dirname, 'support'));

/** Longer than a killed process keeps its lease; each round begins so much later than the one before. */
const ROUND_MS = MINUTE;

function start(folder: string, name: string, aheadMs: number): ChildProcess {
  return spawn(process.execPath, [PROGRAM, folder, name, String(aheadMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Lets it acknowledge so many memories, then kills it wherever it is; all ids that it said. */
async function killedAfter(child: ChildProcess, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    ids.push(line);
    if (ids.length === count) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return ids;
}

it('no vector is lost, doubled or mixed up', async () => {
  const { folder, open } = testWorkspace();
  await open({ embedding: hashModel() }).open();
  const acknowledged: string[] = [];
  const rounds = [[20], [41, 33], [7, 52], [28]];
  for (const [round, counts] of rounds.entries()) {
    const children = counts.map((count, i) =>
      killedAfter(start(folder, `${round}x${i}`, round * ROUND_MS), count),
    );
    acknowledged.push(...(await Promise.all(children)).flat());
  }

  const client = open({ embedding: hashModel(), clock: clockAhead(rounds.length * ROUND_MS) });
  const { embedder, storage } = await client.open();
  const { waiting, embedded } = (await embedder.health())!;
  expect(waiting).toBeGreaterThan(0);
  expect(embedded).toBeGreaterThan(0);
  expect(await embedder.drain()).toBe(waiting);

  const states = new Map<string, string>();
  for (const id of acknowledged) {
    const { state, content } = await client.memory.get(id);
    states.set(id, state);
    const found = await storage.records.vectors.similarities([id], {
      model: 'test/hash-1',
      vector: hashVector(content || 'x'),
    });
    if (state === 'forgotten') expect(found.size).toBe(0);
    else expect(found.get(id)).toBeCloseTo(1, 5);
  }
  expect(states.size).toBe(acknowledged.length);
  expect(await embedder.health()).toMatchObject({ waiting: 0, foreign: 0, problem: null });
  const findings = await storage.maintenance.examine({ fix: false, now: Date.now() });
  expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
  await client.close();

  const file = `${folder}/data/keepsake.db`;
  const count = (sql: string) => look<number>(file, sql)[0];
  const live = count('SELECT count(*) FROM records WHERE forgotten_at IS NULL');
  expect(count('SELECT count(*) FROM record_vectors')).toBe(live);
  expect(count('SELECT count(DISTINCT rid) FROM record_vectors')).toBe(live);
  expect(count('SELECT count(*) FROM embedding_queue')).toBe(0);
});
