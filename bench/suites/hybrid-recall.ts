/** Recall end to end in a process that lives: by words and meaning together, against FTS5 and sqlite-vec side by side. */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { createClient } from '../../src/index.ts';
import { queryTerms } from '../../src/kernel/analysis.ts';
import { median, microseconds, quantile, round, settled, temporaryFolder } from '../lib/measure.ts';
import { naturalTexts } from '../lib/natural-texts.ts';
import type { Row, Suite } from '../lib/suite.ts';

const LIMIT = 10;
/** As many as Keepsake looks at each way. */
const CANDIDATES = 40;
export const config = { memory: { maxEntries: 10_000_000 } };

type Client = ReturnType<typeof createClient>;
type Memory = ReturnType<Client['agent']>['memory'];

/** One in ten thousand has the tag. */
const TAG = 'rare';
const TAGGED = 10_000;
const AGENTS = 1_000;
const RECORDS_PER_AGENT = 10;
/** A process that lives has searched before: until then the engine of JavaScript translates what it runs. */
const WARM_UP = 200;

export async function fill(client: Client, name: string, count: number, text: () => string): Promise<void> {
  const { memory } = client.agent({ name });
  const add = (i: number) => memory.add({ content: text(), tags: i % TAGGED === 0 ? [TAG] : [] });
  for (let done = 0; done < count; done += 500)
    await Promise.all(Array.from({ length: 500 }, (_, i) => add(done + i)));
}

async function fillMany(client: Client, text: () => string): Promise<void> {
  for (let done = 0; done < AGENTS; done += 50) {
    const handles = Array.from({ length: 50 }, (_, i) => client.agent({ name: `one-of-many-${done + i}` }));
    for (let i = 0; i < RECORDS_PER_AGENT; i++)
      await Promise.all(handles.map(({ memory }) => memory.add({ content: text() })));
  }
}

export function databaseIn(folder: string): string {
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('.db'),
  );
  if (name === undefined) throw new Error(`There is no database in ${folder}.`);
  return join(folder, name);
}

/** The same records and vectors in two tables as the documentation of FTS5 and of sqlite-vec has them. */
function openPeer(file: string, agent: string) {
  const source = new SqliteDatabase(file, { readonly: true });
  const rows = source
    .prepare(
      `SELECT r.rid, r.content, v.vector FROM records r JOIN record_vectors v ON v.rid = r.rid WHERE r.agent = ?`,
    )
    .all(agent) as { rid: number; content: string; vector: Buffer }[];
  source.close();
  const dimensions = rows[0]!.vector.length / Float32Array.BYTES_PER_ELEMENT;
  const database = new SqliteDatabase(':memory:');
  load(database);
  database.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, content TEXT);
    CREATE VIRTUAL TABLE words USING fts5 (content, content = 'notes', content_rowid = 'id', tokenize = 'porter');
    CREATE VIRTUAL TABLE vectors USING vec0 (vector float[${dimensions}] distance_metric=cosine)`);
  const statements = [
    'INSERT INTO notes VALUES (?, ?)',
    'INSERT INTO words (rowid, content) VALUES (?, ?)',
  ].map((sql) => database.prepare(sql));
  const insert = database.prepare('INSERT INTO vectors (rowid, vector) VALUES (?, ?)');
  database.transaction(() => {
    for (const { rid, content, vector } of rows) {
      for (const statement of statements) statement.run(rid, content);
      insert.run(BigInt(rid), vector);
    }
  })();
  const byWords = database
    .prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?')
    .pluck();
  const byMeaning = database
    .prepare('SELECT rowid FROM vectors WHERE vector MATCH ? ORDER BY distance LIMIT ?')
    .pluck();
  const read = database.prepare('SELECT content FROM notes WHERE id = ?').pluck();
  return {
    vectors: rows.map(({ vector }) => vector),
    /** Reciprocal ranks added up, as most do it. */
    search(query: string, vector: Buffer): unknown[] {
      const scores = new Map<number, number>();
      const match = queryTerms(query).map((term) => `"${term}"`);
      const found = [byWords.all(match.join(' OR '), CANDIDATES), byMeaning.all(vector, CANDIDATES)];
      for (const ids of found as number[][])
        for (const [place, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (60 + place));
      const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, LIMIT);
      return best.map(([id]) => read.get(id));
    },
    close: () => database.close(),
  };
}

export interface Times {
  readonly p50: number;
  readonly p99: number;
}

export const timesOf = (values: readonly number[]): Times => ({
  p50: median(values),
  p99: quantile(values, 0.99),
});

export async function measure(
  memory: Memory,
  rounds: number,
  filter: { readonly tags?: string[] } = {},
): Promise<Times> {
  const question = naturalTexts(99);
  const ask = (i: number) => memory.search(question(3 + (i % 4)), { limit: LIMIT, ...filter });
  for (let i = 0; i < 3; i++) {
    await microseconds(WARM_UP, ask);
    await settled();
  }
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await microseconds(1, () => ask(i)));
  return timesOf(times);
}

export async function measurePeer(file: string, agent: string, rounds: number): Promise<Times> {
  const peer = openPeer(file, agent);
  const question = naturalTexts(99);
  const times: number[] = [];
  for (let i = 0; i < rounds + 2; i++) {
    const vector = peer.vectors[(i * 37) % peer.vectors.length]!;
    const took = await microseconds(1, () => peer.search(question(3 + (i % 4)), vector));
    if (i >= 2) times.push(took);
  }
  peer.close();
  return timesOf(times);
}

export function row(what: string, ours: Times, theirs: Times | undefined): Row {
  return {
    what,
    'p50 ms': round(ours.p50 / 1_000),
    'p99 ms': round(ours.p99 / 1_000),
    'p99 / p50': round(ours.p99 / ours.p50),
    'FTS5 + sqlite-vec p50 ms': theirs === undefined ? '' : round(theirs.p50 / 1_000),
    'times faster': theirs === undefined ? '' : round(theirs.p50 / ours.p50),
  };
}

/** As it is installed; from the sources, Node would have to strip their types first. */
export function entryPoint(): string {
  const [built, source] = ['dist/sdk/index.js', 'src/index.ts'].map((path) =>
    join(import.meta.dirname, '../..', path),
  );
  return existsSync(built!) ? built! : source!;
}

/** A process of its own: from before the client is made until the first answer is there. */
export function coldRecall(workspace: string, agent: string): number {
  const script = `
    const { createClient } = await import(${JSON.stringify(entryPoint())});
    const start = performance.now();
    const client = createClient(${JSON.stringify({ workspace, config })});
    await client.agent({ name: ${JSON.stringify(agent)} }).memory.search('gateway latency', { limit: ${LIMIT} });
    console.log(performance.now() - start);
    await client.close();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The cold recall failed: ${stderr}`);
  return Number(stdout);
}

export function readWithCat(file: string): number {
  const start = performance.now();
  execFileSync('cat', [file], { stdio: 'ignore' });
  return performance.now() - start;
}

/** What the first search of a process reads at least: the vectors, as a file of their own. */
function writeVectors(database: string, agent: string, file: string): void {
  const source = new SqliteDatabase(database, { readonly: true });
  const vectors = source
    .prepare('SELECT v.vector FROM records r JOIN record_vectors v ON v.rid = r.rid WHERE r.agent = ?')
    .pluck()
    .iterate(agent) as IterableIterator<Buffer>;
  const handle = openSync(file, 'w');
  for (const vector of vectors) writeSync(handle, vector);
  closeSync(handle);
  source.close();
}

export const hybridRecall: Suite = {
  name: 'hybrid-recall',
  why: `Why aims are missed: a search looks twice for words, judges a hundred candidates and compares all vectors exactly; the scan alone
takes a good part of that (vector-search). A cold open reads the index of words besides the vectors.`,
  question: `Latency of memory.search (limit ${LIMIT}, three to six words, embedding of the question included) in a process that has searched before, against FTS5 + sqlite-vec on the same data`,
  async run({ quick, progress }) {
    const [small, large] = quick ? [2_000, 20_000] : [10_000, 100_000];
    const rounds = quick ? 100 : 300;
    const label = (count: number) => count.toLocaleString('en');
    const folder = temporaryFolder();
    const client = createClient({ workspace: folder.path, config });
    const memoryOf = (name: string) => client.agent({ name }).memory;
    const text = naturalTexts(1);
    progress(`${label(small)} records`);
    await fill(client, 'bench', small, text);
    const alone = await measure(memoryOf('bench'), rounds);
    progress(`${label(large)} more of another agent`);
    await fill(client, 'crowd', large, text);
    const beside = await measure(memoryOf('bench'), rounds);
    const crowded = await measure(memoryOf('crowd'), rounds);
    const tagged = await measure(memoryOf('crowd'), rounds, { tags: [TAG] });
    progress(`${label(AGENTS)} more agents`);
    await fillMany(client, text);
    const single = await measure(memoryOf('one-of-many-7'), rounds);
    const file = databaseIn(folder.path);
    progress('FTS5 + sqlite-vec');
    const peers = {
      small: await measurePeer(file, 'bench', quick ? 20 : 60),
      large: await measurePeer(file, 'crowd', quick ? 20 : 60),
    };
    await client.close();
    progress('cold open');
    const colds = Array.from({ length: 5 }, () => coldRecall(folder.path, 'crowd'));
    const vectors = join(folder.path, 'vectors');
    writeVectors(file, 'crowd', vectors);
    const cats = Array.from({ length: 5 }, () => readWithCat(vectors));
    const megabytes = round(statSync(vectors).size / 2 ** 20);
    folder.remove();
    const rows = [
      row(`${label(small)} records`, alone, peers.small),
      row(`${label(small)} records, ${label(large)} of another agent`, beside, undefined),
      row(`${label(large)} records`, crowded, peers.large),
      row(`${label(large)} records, only those with a tag that ${large / TAGGED} have`, tagged, undefined),
      row(`one agent of ${label(AGENTS)}, beside all others`, single, undefined),
      {
        ...row('cold open to first recall', timesOf(colds.map((ms) => ms * 1_000)), undefined),
        'p99 / p50': '',
      },
      {
        ...row(
          `reading its vectors (${megabytes} MB) with cat`,
          timesOf(cats.map((ms) => ms * 1_000)),
          undefined,
        ),
        'p99 / p50': '',
      },
    ];
    return {
      rows,
      headline: [
        { name: `${label(small)} records, p50 ms`, value: round(alone.p50 / 1_000), aim: '≤ 1' },
        {
          name: `${label(small)} records, times faster than FTS5 + sqlite-vec`,
          value: round(peers.small.p50 / alone.p50),
          aim: '≥ 5',
        },
        {
          name: `${label(large)} records, times faster than FTS5 + sqlite-vec`,
          value: round(peers.large.p50 / crowded.p50),
          aim: '≥ 20',
        },
        {
          name: `${label(large)} records, p99 / p50`,
          value: round(crowded.p99 / crowded.p50),
          aim: '≤ 4',
        },
        {
          name: `growth by ${label(large)} records outside of the caller's scope`,
          value: round(beside.p50 / alone.p50),
        },
        {
          name: `${label(large)} records, a filter that leaves ${large / TAGGED}, against no filter`,
          value: round(tagged.p50 / crowded.p50),
          aim: '≤ 1',
        },
        {
          name: `cold open of ${label(large)} records to first recall, as a ratio to reading its vectors with cat`,
          value: round(median(colds) / median(cats)),
          aim: '≤ 1.2',
        },
      ],
    };
  },
};
