/** Health checks of each backend, for readiness, metrics and the log. */
import type { Engine } from '../../../client/index.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { ServerLog } from './server-log.ts';

export interface BackendState {
  /** The engine: sqlite, postgres, redis or qdrant. */
  readonly name: string;
  /** What it holds. */
  readonly holds: string;
  readonly up: boolean;
  /** Whether calls fail while it is down; without the others a call is only slower or less precise. */
  readonly required: boolean;
  /** Why it is down, for the operator: may name addresses. */
  readonly problem?: string;
  /** Since when it is up or down, as far as this server knows. */
  readonly since: number;
}

interface Probe {
  readonly name: string;
  readonly holds: string;
  readonly required: boolean;
  /** Resolves to the problem, or to undefined when all is well. */
  ask(): Promise<string | undefined>;
}

/** As often as an operator wants to know, and rarely enough to cost nothing. */
const EVERY_MS = 5_000;
/** Several callers that ask at once get the same answer. */
const FRESH_MS = 1_000;
const SCHEMA = 'schema';
/** Drivers give up after two seconds by themselves. */
const PATIENCE_MS = 3_000;

export class Backends {
  readonly #engine: Engine;
  readonly #log: ServerLog;
  readonly #probes: Probe[];
  #states: readonly BackendState[] = [];
  #asked: { readonly at: number; readonly answer: Promise<readonly BackendState[]> } | undefined;

  constructor(engine: Engine, log: ServerLog) {
    this.#engine = engine;
    this.#log = log;
    this.#probes = probesOf(engine);
  }

  /** Asks every backend, unless that was done within the last second. */
  check(): Promise<readonly BackendState[]> {
    const now = this.#engine.clock.now();
    if (this.#asked === undefined || Math.abs(now - this.#asked.at) >= FRESH_MS) {
      this.#asked = { at: now, answer: this.#ask() };
    }
    return this.#asked.answer;
  }

  /** Looks from time to time, so that the log has a loss that no request ran into. Returns what stops it. */
  watch(): () => void {
    const timer = setInterval(() => void this.check(), EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** A write was refused because a newer Keepsake upgraded the database: only a restart with the newer version cures that. */
  isOutdated(problem: string): void {
    const name = this.#engine.config.storage.records.driver;
    if (this.#probes.some(({ holds }) => holds === SCHEMA)) return;
    this.#probes.push({ name, holds: SCHEMA, required: true, ask: async () => problem });
    this.#asked = undefined;
  }

  async #ask(): Promise<readonly BackendState[]> {
    const now = this.#engine.clock.now();
    this.#states = await Promise.all(
      this.#probes.map(async ({ name, holds, required, ask }) => {
        const before = this.#states.find((state) => state.name === name && state.holds === holds);
        const problem = await answerOf(ask);
        const up = problem === undefined;
        const isChanged = before === undefined ? !up : before.up !== up;
        if (isChanged) {
          this.#log.add(
            up ? 'info' : 'error',
            up ? 'backend.back' : required ? 'backend.lost' : 'backend.degraded',
            {
              ...{ backend: name, holds, problem },
            },
          );
        }
        const since = before === undefined || isChanged ? now : before.since;
        return { name, holds, up, required, since, ...(problem === undefined ? {} : { problem }) };
      }),
    );
    return this.#states;
  }
}

async function answerOf(ask: Probe['ask']): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, `no answer within ${PATIENCE_MS / 1000} s`);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    return KeepsakeError.is(error) ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Each store is asked for something that does not exist: the shortest answer that proves it reads. */
function probesOf({ storage, config }: Engine): Probe[] {
  const { records, log, state, events, vectors } = config.storage;
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    memory: () => storage.records.get('mem_none', { role: 'admin' }, 0),
    log: () => storage.log.get('msg_none'),
    state: () => storage.state.read('run_none'),
    events: () => storage.events.latest(),
  };
  const engines = new Map<string, string[]>();
  for (const [holds, { driver }] of Object.entries({ memory: records, log, state, events })) {
    engines.set(driver, [...(engines.get(driver) ?? []), holds]);
  }
  const probes: Probe[] = [...engines].map(([name, holds]) => ({
    ...{ name, holds: holds.join(', '), required: true },
    ask: async () => {
      await Promise.all(holds.map((each) => reads[each]!()));
      return undefined;
    },
  }));
  if (vectors !== undefined && storage.indexStatus !== undefined) {
    const { indexStatus } = storage;
    probes.push({
      ...{ name: vectors.driver, holds: 'vectors', required: false },
      ask: async () => {
        const { isUp, problem = 'it does not answer' } = await indexStatus();
        return isUp ? undefined : problem;
      },
    });
  }
  return probes;
}
