/** The same memory on each engine: latency and throughput of recall and of adds, as ratios to SQLite in the same run. */
import { createClient } from '../../src/index.ts';
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
const LIMIT = 10;
const AT_ONCE = 16;
const ADDED_AT_ONCE = 200;

interface Figures {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly recallsPerSecond: number;
  readonly addsPerSecond: number;
}

type Memory = ReturnType<ReturnType<typeof createClient>['agent']>['memory'];

async function fill(memory: Memory, count: number, text: () => string): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < count; done += ADDED_AT_ONCE)
    await Promise.all(Array.from({ length: ADDED_AT_ONCE }, () => memory.add({ content: text() })));
  return count / ((performance.now() - start) / 1_000);
}

async function measure(
  memory: Memory,
  rounds: number,
): Promise<Pick<Figures, 'p50' | 'p99' | 'recallsPerSecond'>> {
  const question = naturalTexts(99);
  const ask = (i: number) => memory.search(question(3 + (i % 4)), { limit: LIMIT });
  for (let i = 0; i < 2; i++) {
    await microseconds(10, ask);
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

async function figuresOf(
  engine: BenchEngine,
  sizes: readonly number[],
  rounds: number,
  progress: (text: string) => void,
): Promise<Figures[]> {
  const folder = temporaryFolder();
  const config = { memory: { maxEntries: 10_000_000 }, storage: engine.storage };
  const client = createClient({ workspace: folder.path, config });
  const { memory } = client.agent({ name: 'bench' });
  const text = naturalTexts(1);
  const figures: Figures[] = [];
  let stored = 0;
  for (const count of sizes) {
    progress(`${engine.name}: ${count.toLocaleString('en')} records`);
    const addsPerSecond = await fill(memory, count - stored, text);
    stored = count;
    figures.push({ count, addsPerSecond, ...(await measure(memory, rounds)) });
  }
  await client.close();
  folder.remove();
  return figures;
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
  question: `memory.search (limit ${LIMIT}) and durable adds on each engine, as ratios to SQLite`,
  async run({ quick, progress }) {
    const sizes = quick ? [1_000, 5_000] : [10_000, 100_000];
    const rounds = quick ? 50 : 300;
    const all: { readonly name: string; readonly figures: readonly Figures[] }[] = [];
    for (const open of ENGINES) {
      const engine = await open();
      all.push({ name: engine.name, figures: await figuresOf(engine, sizes, rounds, progress) });
      await engine.stop();
    }
    const base = all[0]!.figures;
    return {
      rows: sizes.flatMap((_, i) => all.map(({ name, figures }) => row(name, figures[i]!, base[i]!))),
      headline: all.slice(1).map(({ name, figures }) => ({
        name: `${name}: recall at ${sizes.at(-1)!.toLocaleString('en')} records, p50 against SQLite`,
        value: round(figures.at(-1)!.p50 / base.at(-1)!.p50),
      })),
    };
  },
};
