/** Compares a collection with what should be in it, number by number; both may change meanwhile. */
import type { ExpectedState, FeedModel, VectorFeed } from '../../ports/vector-feed.ts';
import { Missing } from './client.ts';
import type { Collections } from './collections.ts';

const PAGE = 1_000;

export interface Differences {
  /** Numbers that should exist and do not, represent something else, or lack their words. */
  readonly missing: readonly number[];
  /** Numbers that exist and should not. */
  readonly extra: readonly number[];
}

export interface Compared {
  readonly feed: VectorFeed;
  readonly collections: Collections;
  readonly identity: string;
}

export async function compare(
  { feed, collections, identity }: Compared,
  model: FeedModel,
): Promise<Differences> {
  const name = collections.nameOf(identity, model);
  const missing: number[] = [];
  const wrong: number[] = [];
  const extra: number[] = [];
  for (let from = 0; from !== Number.POSITIVE_INFINITY; ) {
    // Qdrant first: what it has by now was in the main storage before.
    const page = await emptyIfMissing(collections.page(name, from, PAGE));
    const upTo = page.length < PAGE ? Number.POSITIVE_INFINITY : page.at(-1)!.id;
    const there = new Map(page.map((point) => [point.id, point]));
    for (const state of await expectedIn(feed, model.id, from, upTo)) {
      const point = there.get(state.change);
      there.delete(state.change);
      if (point === undefined) {
        if (state.isCarried) missing.push(state.change);
      } else if (point.record !== state.id || point.version !== state.version) wrong.push(state.change);
    }
    extra.push(...there.keys());
    from = upTo + 1;
  }
  wrong.push(...(await emptyIfMissing(collections.wordless(name))));
  return { missing: [...new Set([...wrong, ...(await stillMissing(collections, name, missing))])], extra };
}

/** A collection that does not exist counts as empty. */
async function emptyIfMissing<T>(asking: Promise<T[]>): Promise<T[]> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Missing) return [];
    throw error;
  }
}

async function expectedIn(
  feed: VectorFeed,
  model: string,
  from: number,
  upTo: number,
): Promise<ExpectedState[]> {
  const all: ExpectedState[] = [];
  for (let after = from - 1; ; ) {
    const page = await feed.expected(model, after, PAGE);
    all.push(...page.filter(({ change }) => change <= upTo));
    after = page.at(-1)?.change ?? upTo;
    if (page.length < PAGE || after >= upTo) return all;
  }
}

/** Some may have been carried between the two reads. */
async function stillMissing(
  collections: Collections,
  name: string,
  missing: readonly number[],
): Promise<number[]> {
  const still: number[] = [];
  for (let start = 0; start < missing.length; start += PAGE) {
    const part = missing.slice(start, start + PAGE);
    const present = new Set(await emptyIfMissing(collections.present(name, part)));
    still.push(...part.filter((id) => !present.has(id)));
  }
  return still;
}

/** Queues what is missing again and removes what is surplus. */
export async function repair(compared: Compared, model: FeedModel): Promise<Differences> {
  const { feed, collections, identity } = compared;
  const differences = await compare(compared, model);
  const { missing, extra } = differences;
  if (missing.length > 0) await feed.recarry(model.id, missing);
  for (let start = 0; start < extra.length; start += PAGE) {
    await collections.remove(collections.nameOf(identity, model), extra.slice(start, start + PAGE));
  }
  return differences;
}
