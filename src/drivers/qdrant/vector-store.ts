/** Vector search through Qdrant: it names candidates, and the main storage checks them and computes the exact similarity. */
import type {
  Embedding,
  EmbeddingBacklog,
  Unembedded,
  VectorCandidate,
  VectorDraft,
  VectorQuery,
  VectorStore,
} from '../../ports/record-store.ts';
import type { StagedVectors } from '../../ports/staged-vectors.ts';
import type { FeedPosition, VectorFeed } from '../../ports/vector-feed.ts';
import { unitVector } from '../common/vector-math.ts';
import type { Carrier } from './carrier.ts';
import { Missing } from './client.ts';
import type { Collections, Point } from './collections.ts';
import { type Condition, conditionsOf } from './payload.ts';

/** Up to so many changes that are not in Qdrant yet are compared one by one; with more, the main storage searches alone. */
const MOST_WAITING = 1_000;
/** Qdrant compares with less precision than we do: so many more are fetched and sorted exactly. */
const SPARE = 32;
/** Scores closer than this are a tie, which the main storage decides. */
const TIE = 1e-6;
const ATTEMPTS = 3;
const GROWTH = 8;

export interface QdrantVectorStoreParts {
  /** Of the main storage. */
  readonly vectors: VectorStore;
  readonly feed: VectorFeed;
  readonly collections: Collections;
  readonly carrier: Carrier;
}

interface Asked {
  readonly name: string;
  readonly vector: Float32Array;
  readonly must: readonly Condition[];
  readonly position: FeedPosition;
}

export class QdrantVectorStore implements VectorStore {
  readonly #main: VectorStore;
  readonly #feed: VectorFeed;
  readonly #collections: Collections;
  readonly #carrier: Carrier;

  constructor({ vectors, feed, collections, carrier }: QdrantVectorStoreParts) {
    this.#main = vectors;
    this.#feed = feed;
    this.#collections = collections;
    this.#carrier = carrier;
  }

  get aside(): StagedVectors | undefined {
    return this.#main.aside;
  }

  async search(query: VectorQuery): Promise<readonly VectorCandidate[]> {
    const must = conditionsOf(query);
    if (!this.#collections.health.isUp) return this.#main.search(query);
    const vector = unitVector(query.embedding);
    const position = await this.#feed.position(MOST_WAITING + 1, query.embedding);
    if (must === undefined || query.limit < 1) return [];
    if (position === undefined || position.waiting.length > MOST_WAITING) return this.#main.search(query);
    const model = { id: query.embedding.model, dimensions: vector.length };
    const name = this.#collections.nameOf(position.identity, model);
    return (await this.#through({ name, vector, must, position }, query)) ?? (await this.#main.search(query));
  }

  /** Undefined: Qdrant cannot tell. */
  async #through(asked: Asked, query: VectorQuery): Promise<readonly VectorCandidate[] | undefined> {
    const { waiting, last } = asked.position;
    let limit = query.limit + SPARE;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const points = await this.#points(asked, limit, query.limit);
      if (points === undefined) return undefined;
      const ids = [...points.map(({ record }) => record), ...waiting.map(({ id }) => id)];
      const isAll = points.length < limit;
      if (isAll || !isCutInTie(points, query.limit)) {
        const found = await this.#feed.nearestAmong(query, ids, last);
        // There may be more: points of records that changed or were removed took the places of others.
        if (isAll || found.length >= query.limit) return found;
      }
      limit *= GROWTH;
    }
    this.#carrier.suspect();
    return undefined;
  }

  async #points(
    { name, vector, must, position }: Asked,
    limit: number,
    wanted: number,
  ): Promise<Point[] | undefined> {
    const without = position.waiting.flatMap(({ carried }) => (carried === 0 ? [] : [carried]));
    try {
      const points = await this.#collections.nearest(name, vector, must, { limit, without, exact: false });
      if (points.length >= wanted) return points;
      // Its graph may not lead to all that pass a narrow filter.
      return await this.#collections.nearest(name, vector, must, { limit, without, exact: true });
    } catch (error) {
      if (error instanceof Missing) this.#carrier.suspect();
      return undefined;
    }
  }

  similarities(ids: readonly string[], embedding: Embedding): Promise<ReadonlyMap<string, number>> {
    return this.#main.similarities(ids, embedding);
  }

  waiting(model: string, limit: number, after?: string): Promise<readonly Unembedded[]> {
    return this.#main.waiting(model, limit, after);
  }

  async save(model: string, drafts: readonly VectorDraft[]): Promise<number> {
    const saved = await this.#main.save(model, drafts);
    this.#carrier.nudge();
    return saved;
  }

  backlog(model: string): Promise<EmbeddingBacklog> {
    return this.#main.backlog(model);
  }
}

/** Of many that are equally near, Qdrant gives any; the newest come first. */
function isCutInTie(points: readonly Point[], wanted: number): boolean {
  return points[wanted - 1]!.score - points.at(-1)!.score < TIE;
}
