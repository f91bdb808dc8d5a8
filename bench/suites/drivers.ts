/** The same memory on each engine: latency and throughput of recall and of adds, as ratios to SQLite in the same run. */
import pg from 'pg';
import { createClient } from '../../src/index.ts';
import { createStaticModel } from '../../src/models/static/index.ts';
import {
  type BenchEngine,
  postgresAndQdrantEngine,
  postgresEngine,
  qdrantEngine,
  sqliteEngine,
} from '../lib/engines.ts';
import { median, microseconds, quantile, round, settled, temporaryFolder } from '../lib/measure.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import type { Row, Suite } from '../lib/suite.ts';

const ENGINES = [sqliteEngine, postgresEngine, qdrantEngine, postgresAndQdrantEngine];
const BY_HAND = 'Postgres, a query by hand';
const LIMIT = 10;
const AT_ONCE = 16;
const ADDED_AT_ONCE = 200;
/** A server that lives has searched before. */
const WARM_UP = 100;
const CANDIDATES = 40;

interface Speed {
  readonly p50: number;
  readonly p99: number;
  readonly recallsPerSecond: number;
}

interface Figures extends Speed {
  readonly count: number;
  readonly addsPerSecond: number;
}

type Memory = ReturnType<ReturnType<typeof createClient>['agent']>['memory'];

async function fill(memory: Memory, count: number, text: () => string): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < count; done += ADDED_AT_ONCE)
    await Promise.all(Array.from({ length: ADDED_AT_ONCE }, () => memory.add({ content: text() })));
  return count / ((performance.now() - start) / 1_000);
}

async function measure(search: (query: string) => Promise<unknown>, rounds: number): Promise<Speed> {
  const question = naturalTexts(99);
  const ask = (i: number) => search(question(3 + (i % 4)));
  for (let i = 0; i < 3; i++) {
    await microseconds(WARM_UP, ask);
    await settled();
  }
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await microseconds(1, () => ask(i)));
  const start = performance.now();
  let asked = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (asked < rounds) await ask(asked++);
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  return { p50: median(times), p99: quantile(times, 0.99), recallsPerSecond: asked / seconds };
}

/** The same texts and vectors in one table with pgvector and tsvector, both ways fused in one query: what one would write by hand. */
async function measureByHand(url: string, rounds: number): Promise<Omit<Figures, 'count'>> {
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE });
  const schema = new URL(url).searchParams.get('schema') ?? 'keepsake';
  const model = createStaticModel();
  const vectorOf = (text: string): string => JSON.stringify([...model.embedNow!(text)]);
  await pool.query(`SET search_path = public, ${schema}; DROP TABLE IF EXISTS public.by_hand;
    CREATE TABLE public.by_hand (id bigserial PRIMARY KEY, content text NOT NULL, vector vector(${model.dimensions}),
      words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED);
    INSERT INTO public.by_hand (content, vector) SELECT r.content, v.vector FROM ${schema}.records r JOIN ${schema}.record_vectors v ON v.rid = r.rid;
    CREATE INDEX ON public.by_hand USING gin (words);
    CREATE INDEX ON public.by_hand USING hnsw (vector vector_cosine_ops); ANALYZE public.by_hand`);
  const search = (query: string) =>
    pool.query(
      `WITH words AS (SELECT id, row_number() OVER (ORDER BY ts_rank(words, asked) DESC) AS place
           FROM public.by_hand, to_tsquery('english', $1) asked WHERE words @@ asked ORDER BY place LIMIT ${CANDIDATES}),
         near AS (SELECT id, row_number() OVER () AS place
           FROM (SELECT id FROM public.by_hand ORDER BY vector <=> $2 LIMIT ${CANDIDATES}) nearest)
       SELECT b.id, b.content FROM public.by_hand b JOIN
         (SELECT id, sum(1.0 / (60 + place)) AS score FROM (TABLE words UNION ALL TABLE near) found GROUP BY id) fused USING (id)
         ORDER BY fused.score DESC LIMIT ${LIMIT}`,
      [query.split(' ').join(' | '), vectorOf(query)],
    );
  const speed = await measure(search, rounds);
  const text = naturalTexts(5);
  const count = 10 * ADDED_AT_ONCE;
  const start = performance.now();
  for (let done = 0; done < count; done += ADDED_AT_ONCE)
    await Promise.all(
      Array.from({ length: ADDED_AT_ONCE }, () => {
        const content = text();
        return pool.query('INSERT INTO public.by_hand (content, vector) VALUES ($1, $2)', [
          content,
          vectorOf(content),
        ]);
      }),
    );
  const addsPerSecond = count / ((performance.now() - start) / 1_000);
  await pool.query('DROP TABLE public.by_hand');
  await pool.end();
  return { ...speed, addsPerSecond };
}

async function figuresOf(
  engine: BenchEngine,
  sizes: readonly number[],
  rounds: number,
  progress: (text: string) => void,
): Promise<{ readonly figures: readonly Figures[]; readonly byHand: readonly Figures[] }> {
  const folder = temporaryFolder();
  const config = { memory: { maxEntries: 10_000_000 }, storage: engine.storage };
  const client = createClient({ workspace: folder.path, config });
  const { memory } = client.agent({ name: 'bench' });
  const text = naturalTexts(1);
  const figures: Figures[] = [];
  const byHand: Figures[] = [];
  let stored = 0;
  for (const count of sizes) {
    progress(`${engine.name}: ${count.toLocaleString('en')} records`);
    const addsPerSecond = await fill(memory, count - stored, text);
    stored = count;
    figures.push({
      count,
      addsPerSecond,
      ...(await measure((query) => memory.search(query, { limit: LIMIT }), rounds)),
    });
    if (engine.name === 'Postgres')
      byHand.push({ count, ...(await measureByHand(engine.postgres!, rounds)) });
  }
  await client.close();
  folder.remove();
  return { figures, byHand };
}

function row(name: string, own: Figures, base: Figures): Row {
  return {
    what: `${name}, ${own.count.toLocaleString('en')} records`,
    'recall p50 ms': round(own.p50 / 1_000),
    'p99 ms': round(own.p99 / 1_000),
    'p50 / SQLite': round(own.p50 / base.p50),
    [`recalls per second, ${AT_ONCE} at once`]: round(own.recallsPerSecond),
    'recalls / SQLite': round(own.recallsPerSecond / base.recallsPerSecond),
    'adds per second': round(own.addsPerSecond),
    'adds / SQLite': round(own.addsPerSecond / base.addsPerSecond),
  };
}

export const drivers: Suite = {
  name: 'drivers',
  question: `memory.search (limit ${LIMIT}) and durable adds on each engine, as ratios to SQLite; and a query with pgvector and tsvector as one would write it by hand, on the same records`,
  async run({ quick, progress }) {
    const sizes = quick ? [1_000, 5_000] : [10_000, 100_000];
    const rounds = quick ? 50 : 300;
    const all: { readonly name: string; readonly figures: readonly Figures[] }[] = [];
    for (const open of ENGINES) {
      const engine = await open();
      const { figures, byHand } = await figuresOf(engine, sizes, rounds, progress);
      all.push({ name: engine.name, figures });
      if (byHand.length > 0) all.push({ name: BY_HAND, figures: byHand });
      await engine.stop();
    }
    const of = (name: string) => all.find((each) => each.name === name)!.figures;
    const [sqlite, postgres, byHand] = [of('SQLite'), of('Postgres'), of(BY_HAND)];
    const label = (i: number) => sizes[i]!.toLocaleString('en');
    const withQdrant = of('Postgres + Qdrant');
    return {
      rows: sizes.flatMap((_, i) => all.map(({ name, figures }) => row(name, figures[i]!, sqlite[i]!))),
      headline: [
        ...sizes.map((_, i) => ({
          name: `Postgres: recall at ${label(i)} records, p50 against SQLite`,
          value: round(postgres[i]!.p50 / sqlite[i]!.p50),
          aim: '≤ 2.5',
        })),
        {
          name: `Postgres: recall at ${label(0)} records, times faster than the query by hand`,
          value: round(byHand[0]!.p50 / postgres[0]!.p50),
          aim: '≥ 8',
        },
        {
          name: `Postgres: recalls per second at ${label(0)} records, ${AT_ONCE} at once`,
          value: round(postgres[0]!.recallsPerSecond),
          aim: '≥ 300',
        },
        {
          name: 'Postgres: adds per second, against the insert by hand',
          value: round(postgres[0]!.addsPerSecond / byHand[0]!.addsPerSecond),
          aim: '≥ 1',
        },
        {
          name: `Postgres + Qdrant: recall at ${label(sizes.length - 1)} records, p50 against Postgres alone`,
          value: round(withQdrant.at(-1)!.p50 / postgres.at(-1)!.p50),
          aim: '≤ 1.1',
        },
        {
          name: `SQLite + Qdrant: recall at ${label(sizes.length - 1)} records, p50 against SQLite`,
          value: round(of('SQLite + Qdrant').at(-1)!.p50 / sqlite.at(-1)!.p50),
        },
      ],
    };
  },
};
