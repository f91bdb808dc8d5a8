/** A working memory on a real database, and as many handles on it as a test opens. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { StateStore } from '../../src/ports/state-store.ts';
import { type FakeClock, fakeClock } from '../../src/testing/index.ts';
import { RunState, STATE_LEASE } from '../../src/working/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

export const RUN = 'run_1';

export interface StateScene {
  readonly file: string;
  readonly clock: FakeClock;
  readonly store: StateStore;
  state(by?: string): RunState;
}

export async function stateScene(document: JsonObject = {}): Promise<StateScene> {
  const file = join(temporaryFolder(), 'keepsake.db');
  const storage = await openSqlite({ file });
  onTestFinished(() => storage.close());
  const clock = fakeClock('2026-03-01T12:00:00Z');
  const at = clock.now();
  const store = storage.state;
  await store.create({ run: RUN, document, by: 'lead', at, leaseUntil: at + STATE_LEASE });
  return { file, clock, store, state: (by = 'alice') => new RunState({ store, clock, run: RUN, by }) };
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );
}
