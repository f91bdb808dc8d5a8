/** What the server counts, as text for Prometheus. */
import type { Engine } from '../../client/index.ts';

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

  async text({ storage, embedder }: Engine): Promise<string> {
    const agents = await storage.records.agents();
    const embedding = await embedder.health();
    const index = await storage.indexStatus?.();
    const gauges: [name: string, help: string, value: number][] = [
      ['keepsake_agents', 'Agents that stored something.', agents.length],
      ['keepsake_records', 'Live facts of all agents.', agents.reduce((sum, { facts }) => sum + facts, 0)],
      ['keepsake_events_seq', 'Number of the newest event.', await storage.events.latest()],
      ['keepsake_embedding_backlog', 'Records that wait for a vector.', embedding?.waiting ?? 0],
      ...(embedding === null ? [] : [embeddingUp(embedding.problem)]),
      ...(index === undefined ? [] : indexGauges(index)),
      ['keepsake_resident_bytes', 'Memory of the process.', process.memoryUsage.rss()],
    ];
    return `${[
      ...gauges.flatMap(([name, help, value]) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        `${name} ${value}`,
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

function embeddingUp(problem: string | null): [name: string, help: string, value: number] {
  return [
    'keepsake_embedding_up',
    'Whether the configured embedding model works and made the vectors.',
    Number(problem === null),
  ];
}

type IndexStatus = Awaited<ReturnType<NonNullable<Engine['storage']['indexStatus']>>>;

function indexGauges({ name, isUp, backlog }: IndexStatus): [name: string, help: string, value: number][] {
  return [
    ['keepsake_vector_index_up', `Whether ${name} answered the last time.`, Number(isUp)],
    ['keepsake_vector_index_backlog', `Changes that ${name} has not confirmed.`, backlog],
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
