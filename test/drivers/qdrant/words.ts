/** Postgres with Qdrant beside it that knows words, and how often the main engine was asked for them all the same. */
import { onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { type QdrantOptions, withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { IndexedRecordStore } from '../../../src/drivers/qdrant/record-store.ts';
import type { TextCandidate, TextQuery } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { ADMIN, START } from '../../../src/testing/conformance/drafts.ts';
import type { SeededRandom } from '../../../src/testing/index.ts';
import { Outside, PREFIX, settled, until } from './workbench.ts';

export interface Worded {
  readonly storage: Storage;
  /** The same database, without Qdrant. */
  readonly plain: Storage;
  /** How many searches the main engine had to answer since Qdrant knew the words of everything. */
  asked(): number;
  /** Until it does. */
  worded(): Promise<void>;
  /** From now on nothing is carried, or everything again: whatever changes meanwhile waits. */
  hold(isHeld: boolean): void;
}

export async function openWorded(url: string, options: QdrantOptions): Promise<Worded> {
  const [main, plain] = [await openPostgres({ url }), await openPostgres({ url })];
  let asked = 0;
  const records = new IndexedRecordStore(main.records, {
    vectors: main.records.vectors,
    findText: async () => {
      asked++;
      return undefined;
    },
    nudge: () => {},
  });
  let isHeld = false;
  const feed = new Proxy(main.feed!, {
    get: (target, key) => {
      if (key === 'waiting' && isHeld) return async () => [];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const storage = withQdrant({ ...main, feed, records }, { prefix: PREFIX, wordsFrom: 1, ...options });
  onTestFinished(async () => {
    await storage.close();
    await plain.close();
  });
  const worded = async (): Promise<void> => {
    const outside = new Outside(options.url);
    await until(async () => (await spacesIn(outside, storage)).length > 0);
    await settled(storage);
    // The process hears of it a moment later.
    await until(async () => {
      asked = 0;
      await found(storage, { viewer: ADMIN, now: START, filter: {}, terms: ['anything'], limit: 1 });
      return asked === 0;
    });
  };
  const hold = (hold: boolean): void => {
    isHeld = hold;
  };
  return { storage, plain, asked: () => asked, worded, hold };
}

/** What the sparse vectors of its collections are called. */
export async function spacesIn(outside: Outside, storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for (const collection of await outside.collections(storage)) {
    // One that is being made again may have gone by now.
    const described = await outside.client.getCollection(collection).catch(() => undefined);
    names.push(...Object.keys(described?.config.params.sparse_vectors ?? {}));
  }
  return names;
}

/** Few words are in most texts, and most are in few; some have one letter, and some are written without spaces. */
const COMMON = ['tea', 'a', 'the', 'x', '茶', 'harbour', '東京', 'train', '京都で', 'ü', '🚲', 'C', '7'];
const RARE = 400;

export function word(random: SeededRandom): string {
  const place = Math.floor((COMMON.length + RARE) ** random.next()) - 1;
  return COMMON[place] ?? (place % 5 === 0 ? `東${String.fromCodePoint(0x4e00 + place)}` : `word${place}`);
}

export function text(random: SeededRandom, most = 40): string {
  const length = 1 + Math.floor(most ** random.next());
  return Array.from({ length }, () => word(random)).join(' ');
}

/** Ids and scores, both to the last bit. */
export async function found(
  { records }: Storage,
  query: TextQuery,
): Promise<readonly (readonly [string, number])[]> {
  const hits: readonly TextCandidate[] = await records.searchText(query);
  return hits.map(({ record, textScore }) => [record.id, textScore]);
}
