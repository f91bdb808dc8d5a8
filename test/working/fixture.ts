/** A working memory on a real database, in this process or behind a server, and as many hands on it as a test has. */
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/index.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { NO_USAGE } from '../../src/ports/run-store.ts';
import type { StateStore } from '../../src/ports/state-store.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import type { FakeClock } from '../../src/testing/index.ts';
import { RunState, type SharedState, STATE_LEASE } from '../../src/working/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

export const RUN = 'run_1';
export const PLACES = ['in this process', 'over HTTP'] as const;
export type Place = (typeof PLACES)[number];

const AGENTS = ['alice', 'bob', 'researcher-1', 'researcher-2'];

export interface StateScene {
  readonly clock: FakeClock;
  readonly store: StateStore;
  state(by?: string): SharedState;
}

export async function stateScene(
  document: JsonObject = {},
  place: Place = 'in this process',
): Promise<StateScene> {
  const workspace = testWorkspace();
  const { clock } = workspace;
  const engine = await workspace.open().open();
  const store = engine.storage.state;
  const at = clock.now();
  if (place === 'in this process') {
    await store.create({ run: RUN, document, by: 'lead', at, leaseUntil: at + STATE_LEASE });
    return { clock, store, state: (by = 'alice') => new RunState({ store, clock, run: RUN, by }) };
  }
  const participants = AGENTS.map((name) => ({ name, role: 'worker' as const }));
  const draft = { id: RUN, swarm: 's', type: 'research', task: 'x', startedAt: at, usage: NO_USAGE };
  await engine.runs.create(
    { ...draft, participants, leaseUntil: at + STATE_LEASE, leaseMs: STATE_LEASE },
    document,
  );
  const server = await serve(engine, { port: 0, version: '0.0.0' });
  const apiKey = readFileSync(server.serverKeyFile, 'utf8').trim();
  const client = createClient({ url: server.url, apiKey });
  onTestFinished(async () => {
    await client.close();
    await server.stop();
  });
  const run = await client.runs.get(RUN);
  return { clock, store, state: (by = 'alice') => run.stateAs(by) };
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );
}
