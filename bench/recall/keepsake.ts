/**
 * Retriever for the public recall benchmarks: documents become memories on the day they are of, questions go through the
 * SDK's own search on theirs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/index.ts';
import { chunkText } from '../../src/knowledge/chunker.ts';
import { Recall } from '../../src/records/recall.ts';
import { readDate } from './dates.ts';
import { rememberingModel, rememberingTokens } from './remembering-model.ts';

interface Document {
  readonly id: string;
  readonly text: string;
  readonly meta?: { readonly session?: string | number; readonly date?: string; readonly role?: string };
}

interface Options {
  /** The model for late interaction. */
  readonly late?: 'minilm';
  /** Another embedding model than the default. */
  readonly embedding?: string;
  /** `vectors`: the nearest vectors alone. */
  readonly only?: 'vectors';
  /** `off`: no turn knows what stood beside it. */
  readonly threads?: 'off';
  /** `off`: all was stored, and is asked for, at the same moment. */
  readonly dates?: 'off';
  readonly profile?: 'classic' | 'steady';
  /** `off`: copies of a fact stay where their score puts them. */
  readonly diversity?: 'off';
  /** A factor of the score that changes nothing. */
  readonly without?: 'openingBoost' | 'speechBoost' | 'earlierDecay' | 'authorBoost' | 'tokenBoost';
  /** `off`: the best hits lend the question no words. */
  readonly borrowing?: 'off';
  /** `naive`: every document whole and as it is, one after the other, without thread or date; only as many hits as wanted. */
  readonly storing?: 'naive';
  /** `off`: nobody knows who wrote a message. */
  readonly roles?: 'off';
  /** `decided`: only as many hits as search takes for answers. The measure of order is taken with all of them. */
  readonly answers?: 'decided';
}

/** Documents longer than a chunk are stored as `knowledge add` would cut them: 2,000 characters, 100 of overlap. */
const CHUNK = { size: 2_000, overlap: 100 };
/** Chunks of one document come up together, so more are asked for than documents are wanted. */
const CHUNKS_PER_DOCUMENT = 3;
const MOST = 1_000;
/** Where a set has no dates. */
const LONG_AGO = Date.UTC(2020, 0, 1);
const MOMENT = 1_000;

const label = (text: string): string => text.replace(/\p{Cc}/gu, ' ').slice(0, 100);

/** Turns of one session, items of one day and chunks of one document are neighbours. */
function threadOf({ id, meta }: Document, chunks: number): string | undefined {
  const session = meta?.session ?? meta?.date;
  if (chunks > 1) return label(`document ${id}`);
  return session === undefined ? undefined : label(`session ${session}`);
}

function chunksOf(text: string): string[] {
  if (text.length <= CHUNK.size) return [text];
  return chunkText(text, 'text', CHUNK).map((chunk) => chunk.text);
}

/** Documents of one date are stored together. */
function byDate(documents: readonly Document[]): Map<number, Document[]> {
  const dated = new Map<number, Document[]>();
  let last = LONG_AGO;
  for (const document of documents) {
    last = readDate(document.meta?.date) ?? last;
    dated.set(last, [...(dated.get(last) ?? []), document]);
  }
  return dated;
}

export async function create(options: Options = {}) {
  const { embedding = 'static', only, profile, diversity, without, borrowing, roles } = options;
  const isNaive = options.storing === 'naive';
  const answers = options.answers === 'decided' ? {} : { minRelevance: 0.1 };
  const [threads, dates] = isNaive ? ['off', 'off'] : [options.threads, options.dates];
  const isSlow = embedding !== 'static' && embedding !== 'none';
  const slow = {
    ...(isSlow ? { embedding: await rememberingModel(embedding) } : {}),
    ...(options.late === undefined ? {} : { lateInteraction: await rememberingTokens(options.late) }),
  };
  return {
    name: `keepsake ${JSON.stringify(options)}`,
    async build(all: readonly Document[]) {
      // A memory says something; some sets contain empty messages.
      const documents = all.filter(({ text }) => text.trim() !== '');
      const workspace = mkdtempSync(join(tmpdir(), 'keepsake-recall-'));
      let now = LONG_AGO;
      let last = LONG_AGO;
      const client = createClient({
        workspace,
        clock: { now: () => now },
        ...slow,
        // Some sets are full of the prompts that the guard is there for; here only the finding is measured.
        config: {
          memory: { maxEntries: 1_000_000 },
          ...(isSlow ? {} : { models: { embedding } }),
          guard: { enabled: false },
          ...(profile === undefined ? {} : { ranking: { profile } }),
        },
      });
      const { memory } = client.agent({ name: 'bench' });
      const ids = new Map<string, string[]>();
      const add = (document: Document): Promise<void>[] => {
        const chunks = isNaive ? [document.text] : chunksOf(document.text);
        const thread = threads === 'off' ? undefined : threadOf(document, chunks.length);
        return chunks
          .filter((content) => content.trim() !== '')
          .map(async (content) => {
            const role = roles === 'off' ? undefined : document.meta?.role;
            const { id } = await memory.add({
              content,
              ...(thread === undefined ? {} : { thread }),
              ...(role === undefined ? {} : { metadata: { role } }),
            });
            ids.set(id, [...(ids.get(id) ?? []), document.id]);
          });
      };
      for (const [at, some] of dates === 'off' ? [[LONG_AGO, documents] as const] : byDate(documents)) {
        now = at;
        last = Math.max(last, at);
        // A stranger's loop stores in the order of the documents, and so do adds that are made at once.
        await Promise.all(some.flatMap(add));
      }
      const engine = await client.open();
      if (embedding !== 'none') await engine.embedder.drain();
      await engine.lateInteraction?.drain();

      const nearest = async (query: string, limit: number) => {
        const vector = await engine.embedder.query(query);
        if (vector === undefined) return [];
        const found = await engine.storage.records.vectors.search({
          viewer: { agent: 'bench', role: 'worker' },
          now,
          filter: {},
          embedding: vector,
          limit,
        });
        return found.map(({ record, similarity }) => ({ id: record.id, score: similarity }));
      };
      const unaided = new Recall({
        store: engine.storage.records,
        embedder: engine.embedder,
        clock: { now: () => now },
        policyFor: () => engine.config,
        borrowsWords: false,
      });
      const found = async (query: string, limit: number): Promise<{ id: string; score: number }[]> => {
        const hits =
          borrowing === 'off'
            ? await unaided.search(
                { query, limit, ...answers },
                { viewer: { agent: 'bench', role: 'worker' }, via: 'sdk' },
              )
            : await memory.search(query, { limit, ...answers });
        if (without === undefined) return [...hits];
        return hits
          .map(({ id, score, factors }) => ({ id, score: score / factors[without] }))
          .sort((a, b) => b.score - a.score);
      };
      const goTo = (date: string | undefined): void => {
        now = (dates === 'off' ? undefined : readDate(date)) ?? last + MOMENT;
      };
      return {
        /** How relevant the best hit is; 0 when nothing is found. */
        async relevance(query: string, date?: string): Promise<number> {
          goTo(date);
          const [best] = await memory.search(query, { limit: 1, minRelevance: 0 });
          return best?.relevance ?? 0;
        },
        /** Whether search takes anything for an answer. */
        async answers(query: string, date?: string): Promise<boolean> {
          goTo(date);
          return (await memory.search(query, { limit: 1 })).length > 0;
        },
        async search(query: string, limit: number, context?: { readonly date?: string }) {
          goTo(context?.date);
          const wanted = isNaive ? Math.min(MOST, limit) : Math.min(MOST, limit * CHUNKS_PER_DOCUMENT);
          const hits = only === 'vectors' ? await nearest(query, wanted) : await found(query, wanted);
          if (diversity === 'off') hits.sort((a, b) => b.score - a.score);
          const ranked = new Map<string, number>();
          for (const hit of hits) {
            for (const id of ids.get(hit.id) ?? []) if (!ranked.has(id)) ranked.set(id, hit.score);
          }
          return [...ranked].map(([id, score]) => ({ id, score })).slice(0, limit);
        },
        async close() {
          await client.close();
          rmSync(workspace, { recursive: true, force: true });
        },
      };
    },
  };
}
