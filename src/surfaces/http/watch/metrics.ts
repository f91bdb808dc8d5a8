/** Metrics in the text format of Prometheus. */
import { statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Engine } from '../../../client/index.ts';
import type { BackendState, Backends } from './backends.ts';

/** Upper bounds in seconds: a recall takes one to ten milliseconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Timing {
  readonly counts: number[];
  sum: number;
  total: number;
}

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #timings = new Map<string, Timing>();

  /** Counts the requests of a route. `route` is the pattern, never the address: ids must not become labels. */
  counter(method: string, route: string): (status: number, seconds: number) => void {
    const labels = `method="${method}",route="${route}"`;
    const requests = new Map<number, string>();
    return (status, seconds) => {
      let request = requests.get(status);
      if (request === undefined) {
        request = `${labels},status="${status}"`;
        requests.set(status, request);
      }
      this.#requests.set(request, (this.#requests.get(request) ?? 0) + 1);
      this.#time(labels, seconds);
    };
  }

  #time(labels: string, seconds: number): void {
    let timing = this.#timings.get(labels);
    if (timing === undefined) {
      timing = { counts: BUCKETS.map(() => 0), sum: 0, total: 0 };
      this.#timings.set(labels, timing);
    }
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) timing.counts[bucket]! += 1;
    timing.sum += seconds;
    timing.total += 1;
  }

  /** Answers also while a backend is unavailable: then what it would tell is left out, and `keepsake_backend_up` says so. */
  async text(engine: Engine, backends: Backends): Promise<string> {
    const states = await backends.check();
    const gauges = [
      ...backendGauges(states),
      ...(states.every(({ up, required }) => up || !required) ? await storeGauges(engine) : []),
      ...processGauges(engine),
    ];
    return `${[
      ...gauges.flatMap(({ name, help, type = 'gauge', values }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`),
      ]),
      '# HELP keepsake_http_requests_total Requests by route and status.',
      '# TYPE keepsake_http_requests_total counter',
      ...[...this.#requests].map(([labels, count]) => `keepsake_http_requests_total{${labels}} ${count}`),
      '# HELP keepsake_http_request_duration_seconds Time until the answer began.',
      '# TYPE keepsake_http_request_duration_seconds histogram',
      ...[...this.#timings].flatMap(([labels, timing]) => histogram(labels, timing)),
    ].join('\n')}\n`;
  }
}

interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly type?: 'gauge' | 'counter';
  readonly values: readonly (readonly [labels: string, value: number])[];
}

const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, values: [['', value]] });

function backendGauges(states: readonly BackendState[]): Gauge[] {
  return [
    {
      name: 'keepsake_backend_up',
      help: 'Whether a backend answered the last time it was asked.',
      values: states.map(({ name, holds, up }) => [`backend="${name}",holds="${holds}"`, Number(up)]),
    },
  ];
}

/** What the stores tell; nothing if one is lost between the check and the question. */
async function storeGauges({ storage, embedder }: Engine): Promise<Gauge[]> {
  try {
    const agents = await storage.records.agents();
    const embedding = await embedder.health();
    const index = await storage.indexStatus?.();
    return [
      gauge('keepsake_agents', 'Agents that stored something.', agents.length),
      gauge(
        'keepsake_records',
        'Live facts of all agents.',
        agents.reduce((sum, { facts }) => sum + facts, 0),
      ),
      gauge('keepsake_events_seq', 'Number of the newest event.', await storage.events.latest()),
      gauge('keepsake_embedding_backlog', 'Records that wait for a vector.', embedding?.waiting ?? 0),
      ...(embedding === null
        ? []
        : [
            gauge(
              'keepsake_embedding_up',
              'Whether the configured embedding model works and made the vectors.',
              Number(embedding.problem === null),
            ),
          ]),
      ...(index === undefined
        ? []
        : [
            gauge(
              'keepsake_vector_index_up',
              `Whether ${index.name} answered the last time.`,
              Number(index.isUp),
            ),
            gauge(
              'keepsake_vector_index_backlog',
              `Changes that ${index.name} has not confirmed.`,
              index.backlog,
            ),
          ]),
    ];
  } catch {
    return [];
  }
}

const SECONDS = 1e9;
/** How late timers fire: the sign of work that blocks the process. */
const delays = monitorEventLoopDelay({ resolution: 20 });

function processGauges({ paths }: Engine): Gauge[] {
  delays.enable();
  const { user, system } = process.cpuUsage();
  const wal = statSync(`${paths.database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const p99 = delays.percentile(99) / SECONDS;
  delays.reset();
  return [
    gauge('keepsake_resident_bytes', 'Memory of the process.', process.memoryUsage.rss()),
    gauge('keepsake_sqlite_wal_bytes', 'Size of the write-ahead log of SQLite.', wal),
    gauge(
      'keepsake_event_loop_delay_p99_seconds',
      'How late timers fired since the last look.',
      Number.isFinite(p99) ? p99 : 0,
    ),
    {
      ...gauge('keepsake_cpu_seconds_total', 'Processor time of the process.', (user + system) / 1e6),
      type: 'counter',
    },
  ];
}

function histogram(labels: string, { counts, sum, total }: Timing): string[] {
  const name = 'keepsake_http_request_duration_seconds';
  let below = 0;
  return [
    ...BUCKETS.map((bound, i) => {
      below += counts[i]!;
      return `${name}_bucket{${labels},le="${bound}"} ${below}`;
    }),
    `${name}_bucket{${labels},le="+Inf"} ${total}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${total}`,
  ];
}
