/** Saves what the decision about answers is made from, one line per question: `node bench/precision/dump-evidence.ts static|none FILE [group …]`. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/index.ts';
import type { Ranked } from '../../src/records/ranker.ts';
import { Recall } from '../../src/records/recall.ts';
import { evidenceAmong, isFact } from '../../src/records/search/answer-evidence.ts';
import { WordMeaning } from '../../src/records/search/word-meaning.ts';
import { readDate } from '../recall/dates.ts';

const BENCHES = join(import.meta.dirname, '../../../shared/bench/lib/benches/index.mjs');
const MOST_HITS = 12;

const [embedding, file, ...groups] = process.argv.slice(2) as ['static' | 'none', string, ...string[]];
const lines: string[] = [];

export interface Doc {
  readonly content: string;
  readonly key: string;
  readonly category?: string;
  readonly agent?: string;
  readonly supersedes?: number;
  readonly thread?: string;
  readonly role?: string;
  readonly at?: number;
}

async function build(docs: readonly Doc[]) {
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-dump-'));
  let now = Date.UTC(2020, 0, 1);
  const clock = { now: () => now };
  const client = createClient({
    workspace,
    clock,
    config: { models: { embedding }, memory: { maxEntries: 1_000_000 }, guard: { enabled: false } },
  });
  const engine = await client.open();
  const own = client.agent({ name: 'own' });
  const ids: string[] = [];
  const keys = new Map<string, string>();
  const add = async (doc: Doc, place: number) => {
    const { memory } = doc.agent === undefined ? own : client.agent({ name: doc.agent });
    if (doc.at !== undefined) now = Math.max(now, doc.at);
    const { id } = await memory.add({
      content: doc.content,
      ...(doc.category === undefined ? {} : { category: doc.category }),
      ...(doc.thread === undefined ? {} : { thread: doc.thread }),
      ...(doc.role === undefined ? {} : { metadata: { role: doc.role } }),
      ...(doc.supersedes === undefined ? {} : { supersedes: ids[doc.supersedes]! }),
    });
    ids[place] = id;
    keys.set(id, doc.key);
  };
  if (docs.some(({ supersedes }) => supersedes !== undefined)) {
    for (const [place, doc] of docs.entries()) await add(doc, place);
  } else {
    for (let from = 0; from < docs.length; ) {
      let to = from + 1;
      while (to < docs.length && docs[to]!.at === docs[from]!.at) to++;
      await Promise.all(docs.slice(from, to).map((doc, i) => add(doc, from + i)));
      from = to;
    }
  }
  if (embedding !== 'none') await engine.embedder.drain();
  now += 1_000;
  let last: readonly Ranked[] = [];
  const recall = new Recall({
    store: engine.storage.records,
    embedder: engine.embedder,
    clock,
    policyFor: () => engine.config,
    onRanked: (hits) => {
      last = hits;
    },
  });
  const words = new WordMeaning(engine.embedder);
  const ask = async (query: string) => {
    last = [];
    const got = await recall.search({ query, limit: 10 } as never, {
      viewer: { agent: 'own', role: 'worker' },
      via: 'sdk',
    });
    const returned = new Set(got.map(({ id }) => keys.get(id)));
    const relevant = last.filter(({ relevance }) => relevance >= 0.1);
    const of = (isBlind: boolean) => evidenceAmong(relevant, query, isBlind ? undefined : words.in(query));
    const [seeing, blind] = [of(false), of(true)];
    return {
      query,
      hits: relevant.slice(0, MOST_HITS).map((hit) => ({
        key: keys.get(hit.record.id)!,
        content: hit.record.content.slice(0, 120),
        fact: isFact(hit),
        returned: returned.has(keys.get(hit.record.id)!),
        e: seeing.of(hit),
        blind: blind.of(hit),
      })),
    };
  };
  const close = async () => {
    await client.close();
    rmSync(workspace, { recursive: true, force: true });
  };
  const forget = async (place: number) => {
    await own.memory.forget(ids[place]!);
  };
  return { ask, close, forget, add };
}

const write = (row: object) => lines.push(JSON.stringify(row));

async function smallStores(group: string): Promise<void> {
  const folder = join(import.meta.dirname, group);
  for (const name of readdirSync(folder).sort()) {
    const { facts, cases } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const docs: Doc[] = facts.map((given: never, place: number) => {
      const fact = typeof given === 'string' ? { content: given } : (given as { content: string });
      const before = facts.findIndex((other: { supersededBy?: number }) => other.supersededBy === place);
      return { ...fact, key: String(place), ...(before < 0 ? {} : { supersedes: before }) };
    });
    const store = await build(docs);
    const base = { group, store: `${group}/${name.replace('.json', '')}` };
    for (const [kind, question, answers] of cases)
      write({ ...base, kind, gold: answers.map(String), ...(await store.ask(question)) });
    // The same questions where nothing of what answers them is known.
    for (const [kind, question, answers] of cases as [string, string, number[]][]) {
      if (answers.length === 0 || answers.length > 3) continue;
      for (const place of answers) await store.forget(place);
      write({
        ...base,
        group: `${group}-without`,
        kind,
        gold: [],
        was: answers.map(String),
        ...(await store.ask(question)),
      });
      for (const place of answers)
        await store.add({ content: docs[place]!.content, key: String(place) }, place);
    }
    await store.close();
  }
}

interface Task {
  readonly docs: readonly {
    id: string;
    text: string;
    meta?: { session?: string | number; date?: string; role?: string };
  }[];
  readonly queries: readonly {
    text: string;
    gold: Set<string> | Map<string, unknown>;
    cats: string[];
    ctx?: { date?: string };
  }[];
}

function some<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * step)]!);
}

async function publicSets(set: string): Promise<void> {
  const { benches } = (await import(BENCHES)) as { benches: Record<string, (o: object) => Iterable<Task>> };
  const all = ['locomo', 'lme_turn', 'beam', 'letta'].flatMap((name) => {
    const tasks = [...benches[name]!({})];
    if (name === 'letta') return lettaStores(tasks[0]!).map((task) => ({ name, ...task }));
    return some(tasks, name === 'lme_turn' ? 30 : 10).map((task) => ({ name, ...task }));
  });
  for (const [i, task] of all.entries()) {
    if (task.name !== set) continue;
    const docs: Doc[] = task.docs
      .filter(({ text }) => text.trim() !== '')
      .map(({ id, text, meta }) => ({
        content: text,
        key: id,
        ...(meta?.session === undefined && meta?.date === undefined
          ? {}
          : { thread: String(meta.session ?? meta.date).slice(0, 90) }),
        ...(meta?.role === undefined ? {} : { role: meta.role }),
        ...(readDate(meta?.date) === undefined ? {} : { at: readDate(meta?.date)! }),
      }));
    const places = new Map(docs.map(({ key }, place) => [key, place]));
    const store = await build(docs);
    const base = { group: set, store: `${set}/${i}` };
    for (const { text, gold, cats } of some(task.queries, 40))
      write({ ...base, kind: cats[0], gold: [...gold.keys()], ...(await store.ask(text)) });
    const others = all.filter((other) => other !== task);
    const sameSet = others.filter(({ name }) => name === set);
    for (const other of [
      ...some(sameSet, 15),
      ...some(
        others.filter(({ name }) => name !== set),
        15,
      ),
    ])
      for (const { text } of some(other.queries, 2))
        write({
          ...base,
          group: `${set}-strange`,
          kind: other.name === set ? 'same' : 'other',
          gold: [],
          ...(await store.ask(text)),
        });
    if (set === 'letta')
      for (const { text, gold, cats } of some(task.queries, 40)) {
        const keys = [...gold.keys()];
        for (const key of keys) await store.forget(places.get(key)!);
        write({
          ...base,
          group: `${set}-without`,
          kind: cats[0],
          gold: [],
          was: keys,
          ...(await store.ask(text)),
        });
        for (const key of keys) await store.add(docs[places.get(key)!]!, places.get(key)!);
      }
    await store.close();
  }
}

/** Stores of forty facts, as the set was written for rooms of people. */
function lettaStores({ docs, queries }: Task): Task[] {
  const tasks: Task[] = [];
  for (let from = 0; from + 40 <= docs.length; from += 40) {
    const some = docs.slice(from, from + 40);
    const ids = new Set(some.map(({ id }) => id));
    const own = queries.filter(({ gold }) => [...gold.keys()].every((key) => ids.has(key)));
    tasks.push({ docs: some, queries: own });
  }
  return tasks.filter(({ queries: { length } }) => length > 5);
}

for (const group of groups)
  await (['locomo', 'lme_turn', 'beam', 'letta'].includes(group) ? publicSets(group) : smallStores(group));
writeFileSync(file, `${lines.join('\n')}\n`);
