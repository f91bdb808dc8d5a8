/** What a record and a vector take: bytes on disk on each engine, and memory of a process that searches them. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createClient } from '../../src/index.ts';
import { type BenchEngine, postgresEngine, sqliteEngine } from '../lib/engines.ts';
import { round, temporaryFolder } from '../lib/measure.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import type { Row, Suite } from '../lib/suite.ts';

const MILLION = 1_000_000;
const GIB = 2 ** 30;
const ADDED_AT_ONCE = 200;
/** About as long as a fact that somebody wrote down; the made-up words are long, so it is some 210 characters. */
const WORDS = 15;

interface Taken {
  readonly disk: number;
  /** Of a process that has searched. Only SQLite keeps records there; the other engines search by themselves. */
  readonly memory: number;
}

async function postgresBytes(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const schema = new URL(url).searchParams.get('schema');
  // What was written over is not what a database at rest takes.
  const { rows: tables } = await client.query(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = $1`,
    [schema],
  );
  for (const { name } of tables) await client.query(`VACUUM FULL ${name}`);
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
    [schema],
  );
  await client.end();
  return rows[0].bytes as number;
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.db(-wal)?$/.test(name))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** In a process of its own that opens the workspace and searches, as a server would. */
function searchingMemory(workspace: string, config: object): number {
  const entry = join(import.meta.dirname, '../../src/index.ts');
  const script = `
    const { createClient } = await import(${JSON.stringify(entry)});
    const client = createClient(${JSON.stringify({ workspace, config })});
    const { memory } = client.agent({ name: 'bench' });
    for (let i = 0; i < 8; i++) {
      await memory.search('gateway latency of the harbour', { limit: 10 });
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    globalThis.gc();
    console.log(process.memoryUsage().rss);
    await client.close();`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', script],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The search failed: ${stderr}`);
  return Number(stdout);
}

async function taken(engine: BenchEngine, count: number, hasVectors: boolean): Promise<Taken> {
  const folder = temporaryFolder();
  const config = {
    memory: { maxEntries: 10_000_000 },
    storage: engine.storage,
    ...(hasVectors ? {} : { models: { embedding: 'none' as const } }),
  };
  const client = createClient({ workspace: folder.path, config });
  const { memory } = client.agent({ name: 'bench' });
  const text = naturalTexts(1);
  for (let done = 0; done < count; done += ADDED_AT_ONCE) {
    const some = Math.min(ADDED_AT_ONCE, count - done);
    await Promise.all(Array.from({ length: some }, () => memory.add({ content: text(WORDS) })));
  }
  await memory.search('gateway');
  const { embedder } = await client.open();
  if (hasVectors) await embedder.drain();
  await client.close();
  const disk =
    engine.postgres === undefined ? folderBytes(folder.path) : await postgresBytes(engine.postgres);
  const used = searchingMemory(folder.path, config);
  folder.remove();
  return { disk, memory: used };
}

function row(what: string, bytes: number, memory: number | undefined): Row {
  return {
    what,
    'bytes on disk': Math.round(bytes),
    'GiB per million': round((bytes * MILLION) / GIB),
    'bytes in memory of a process': memory === undefined ? 'none' : Math.round(Math.max(0, memory)),
  };
}

async function measure(name: string, open: () => Promise<BenchEngine>, count: number): Promise<Row[]> {
  const each = async (records: number, hasVectors: boolean): Promise<Taken> => {
    const engine = await open();
    try {
      return await taken(engine, records, hasVectors);
    } finally {
      await engine.stop();
    }
  };
  // The model takes memory too, however few records there are.
  const [noWords, nothing] = [await each(1, false), await each(1, true)];
  const [words, all] = [await each(count, false), await each(count, true)];
  const isResident = name === 'SQLite';
  const forWords = (words.memory - noWords.memory) / count;
  const forAll = (all.memory - nothing.memory) / count;
  const [perRecord, perVector] = [(words.disk - noWords.disk) / count, (all.disk - words.disk) / count];
  return [
    row(`${name}: a record of ${WORDS} words`, perRecord, isResident ? forWords : undefined),
    row(`${name}: its vector, 256 dimensions`, perVector, isResident ? forAll - forWords : undefined),
    row(`${name}: both`, perRecord + perVector, isResident ? forAll : undefined),
  ];
}

export const sizing: Suite = {
  name: 'sizing',
  question: 'Bytes on disk and in memory per record and per vector, with their indexes',
  async run({ quick, progress }) {
    const count = quick ? 2_000 : 20_000;
    progress('SQLite');
    const embedded = await measure('SQLite', sqliteEngine, count);
    progress('Postgres');
    const server = await measure('Postgres', postgresEngine, count);
    const last = embedded.at(-1)!;
    return {
      rows: [...embedded, ...server],
      headline: [
        {
          name: 'SQLite: GiB on disk for a million records with vectors',
          value: last['GiB per million'] as number,
        },
        {
          name: 'Postgres: GiB on disk for a million records with vectors',
          value: server.at(-1)!['GiB per million'] as number,
        },
      ],
    };
  },
};
